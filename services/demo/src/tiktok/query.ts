import { contains, plain, wordsOf } from "../query/words.js";
import { tagsOf } from "./answer.js";
import { ParamsRefused } from "./problem.js";
import type { DemoVideo } from "./video.js";

/** What a condition is about. */
type Searched = Pick<DemoVideo, "id" | "text" | "username" | "region">;
type Condition = (video: Searched) => boolean;

const FIELDS: Readonly<Record<string, (video: Searched, value: string) => boolean>> = {
  keyword: ({ text }, value) => contains(wordsOf(text), wordsOf(value)),
  hashtag_name: ({ text }, value) => tagsOf(text).some((name) => plain(name) === plain(value)),
  username: ({ username }, value) => username === value,
  region_code: ({ region }, value) => region === value,
  video_id: ({ id }, value) => id === value,
};
const LISTS = ["and", "or", "not"] as const;

/** Reads the conditions of a search: all of `and`, any of `or`, none of `not`. Throws ParamsRefused. */
export function readTiktokQuery(query: unknown): Condition {
  const lists = recordOf(query, "query");
  const unknown = Object.keys(lists).find((name) => !LISTS.some((list) => list === name));
  if (unknown !== undefined) throw new ParamsRefused(`query.${unknown} is not known`);
  const [and, or, not] = LISTS.map((name) => listOf(lists[name] ?? [], name).map(readCondition)) as [
    Condition[],
    Condition[],
    Condition[],
  ];
  if (and.length + or.length + not.length === 0) throw new ParamsRefused("query has no condition");
  return (video) =>
    and.every((holds) => holds(video)) &&
    (or.length === 0 || or.some((holds) => holds(video))) &&
    !not.some((holds) => holds(video));
}

function readCondition(value: unknown): Condition {
  const { operation, field_name: name, field_values: values } = recordOf(value, "condition");
  const holds = typeof name === "string" && Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
  if (holds === undefined) throw new ParamsRefused(`field_name ${String(name)} is not known`);
  const texts = listOf(values, "field_values");
  if (texts.length === 0 || !texts.every((text) => typeof text === "string" && text !== "")) {
    throw new ParamsRefused("field_values must be texts");
  }
  if (operation !== "IN" && (operation !== "EQ" || texts.length > 1)) {
    throw new ParamsRefused(`operation ${String(operation)} does not fit`);
  }
  return (video) => texts.some((text) => holds(video, String(text)));
}

/** Throws ParamsRefused for what is no object. */
export function recordOf(value: unknown, name: string): Record<string, unknown> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new ParamsRefused(`${name} must be an object`);
}

function listOf(value: unknown, name: string): unknown[] {
  if (Array.isArray(value)) return value as unknown[];
  throw new ParamsRefused(`${name} must be a list`);
}
