import type { Query } from "../../query/ast.js";
import { type QueryDialect, translate, type Translation } from "../../query/translate.js";

/** One of the values must stand in the field. */
export interface TiktokCondition {
  readonly operation: "IN";
  readonly field_name: "keyword" | "hashtag_name" | "video_id";
  readonly field_values: readonly string[];
}

/** All of `and`, any of `or`, none of `not`. */
export interface TiktokQuery {
  readonly and: readonly TiktokCondition[];
  readonly or: readonly TiktokCondition[];
  readonly not: readonly TiktokCondition[];
}

interface Said extends TiktokQuery {
  /** Whether alternatives were left out, because a query takes one list of alternatives in several fields only. */
  readonly isWider: boolean;
}

/** TikTok's lists of conditions. It knows no prefixes, and whom a video mentions is no field of a search. */
const TIKTOK_DIALECT: QueryDialect<Said> = {
  word: (text) => said("keyword", text),
  phrase: (text) => said("keyword", text.replaceAll(/\s+/gu, " ")),
  tag: (name) => said("hashtag_name", name),
  mention: () => undefined,
  not: ({ and, isWider }) => ({ and: [], or: [], not: and, isWider }),
  and: (parts) => {
    const alternatives = parts.filter(({ or }) => or.length > 0);
    return {
      and: parts.flatMap(({ and }) => and),
      or: alternatives[0]?.or ?? [],
      not: parts.flatMap(({ not }) => not),
      isWider: alternatives.length > 1,
    };
  },
  or: (parts) => {
    const conditions = byField(parts.flatMap(({ and }) => and));
    const [and, or] = conditions.length === 1 ? [conditions, []] : [[], conditions];
    return { and, or, not: [], isWider: false };
  },
  joinsTerms: true,
  maxLength: Infinity,
  lengthOf: () => 0,
};

/** The searches that TikTok is asked for a query. */
export function queriesFor(query: Query): Translation<TiktokQuery> {
  const { requests, narrowedLocally, ...translation } = translate(query, TIKTOK_DIALECT);
  return {
    ...translation,
    requests: requests.map(({ and, or, not }) => ({ and, or, not })),
    narrowedLocally: narrowedLocally || requests.some(({ isWider }) => isWider),
  };
}

function said(field: TiktokCondition["field_name"], value: string): Said {
  return { and: [condition(field, [value])], or: [], not: [], isWider: false };
}

function condition(field: TiktokCondition["field_name"], values: readonly string[]): TiktokCondition {
  return { operation: "IN", field_name: field, field_values: values };
}

/** Alternatives in the same field are one condition. */
function byField(conditions: readonly TiktokCondition[]): TiktokCondition[] {
  return (["keyword", "hashtag_name"] as const).flatMap((field) => {
    const values = conditions.flatMap((each) => (each.field_name === field ? each.field_values : []));
    return values.length === 0 ? [] : [condition(field, values)];
  });
}
