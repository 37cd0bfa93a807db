import { type DescEnum, type DescExtension, type DescField, type DescOneof, getOption } from "@bufbuild/protobuf";
import { isReflectList, type Path, reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import type { Violation } from "@bufbuild/protovalidate";
import {
  field as fieldOption,
  FieldRulesSchema,
  predefined,
} from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { record_id as recordId } from "@hourglass/proto/options/v1/rules";
import { named_by as namedBy } from "@hourglass/proto/options/v1/settings";
import { counted, giveAtLeast, giveAtMost, giveOneOf } from "../../errors/sentences.js";

/** A broken rule of proto/, and access to the sibling rules of the field. */
interface BrokenRule {
  readonly field: DescField | undefined;
  /** Value of a numeric sibling rule, such as `max_len`. */
  readonly limit: (name: string) => number;
  /** Values of a sibling rule that lists texts, such as `in`. */
  readonly values: (name: string) => string[];
}

/**
 * Messages for callers about the standard rules, by id. The library's messages address the author of the rule; these
 * tell the author of the request what to do.
 */
const SENTENCES: Readonly<Record<string, (rule: BrokenRule) => string>> = {
  required: () => REQUIRED,
  "string.min_len": ({ limit }) => giveAtLeast(limit("min_len"), "character"),
  "string.max_len": ({ limit }) => giveAtMost(limit("max_len"), "character"),
  "string.email": () => "Give an e-mail address, such as name@example.com.",
  "string.pattern": ({ values }) => `Give a text that matches ${values("pattern").join("")}.`,
  "string.prefix": ({ values }) => `Give a text that begins with ${values("prefix").join("")}.`,
  "string.uri": () => "Give a URL, such as https://example.com/feed.xml.",
  "string.in": ({ values }) => giveOneOf(values("in")),
  "bytes.max_len": ({ limit }) => `Send at most ${counted(limit("max_len"), "byte")} at a time.`,
  "enum.defined_only": ({ field }) => giveOneOf(spellings(field)),
  "enum.not_in": ({ field }) => giveOneOf(spellings(field)),
  "int32.gte_lte": ({ limit }) => `Give a whole number from ${limit("gte")} to ${limit("lte")}.`,
  "int64.gte": ({ limit }) => `Give a whole number that is at least ${limit("gte")}.`,
  "int64.gt_lt": () => ID_NEEDED,
  "int64.gte_lte": ({ limit }) => `Give a whole number from ${limit("gte")} to ${limit("lte")}.`,
  "uint32.lte": ({ limit }) => `Give a whole number from 0 to ${limit("lte")}.`,
  "uint32.in": ({ values }) => giveOneOf(values("in")),
  "repeated.min_items": ({ limit }) => giveAtLeast(limit("min_items"), "item"),
  "repeated.max_items": ({ limit }) => giveAtMost(limit("max_items"), "item"),
  "map.max_pairs": ({ limit }) => giveAtMost(limit("max_pairs"), "key"),
  "repeated.unique": () => "Give each item only once.",
};

/** Ids of the rules that have a sentence here; custom rules of proto/ define their own. */
export const RULES_WITH_SENTENCES: ReadonlySet<string> = new Set(Object.keys(SENTENCES));

/** Message for a missing field. */
export const REQUIRED = "Give this field: it is required.";

/** Message for an invalid id of a record. */
export const ID_NEEDED = wordingOf(recordId);

/** The message to the caller for a violation of a rule in proto/. */
export function sentenceOf({ ruleId, message, field, rule }: Violation): string {
  const last = field.at(-1);
  if (ruleId === "required" && last?.kind === "oneof") return exactlyOne(last);
  const owner = field.findLast((step): step is DescField => step.kind === "field");
  const broken: BrokenRule = {
    field: owner,
    limit: (name) => Number(ruleBeside(owner, rule, name)),
    values: (name) => listed(ruleBeside(owner, rule, name)),
  };
  // The messages of our own rules in proto/ are whole sentences already.
  return SENTENCES[ruleId]?.(broken) ?? message;
}

/** The sentence of a rule that proto/ defines for several fields. */
function wordingOf(rule: DescExtension): string {
  return getOption(rule, predefined)
    .cel.map(({ message }) => message)
    .join(" ");
}

function exactlyOne({ fields }: DescOneof): string {
  return `Give exactly one of these: ${fields.map(({ name }) => name).join(", ")}.`;
}

function spellings(field: DescField | undefined): string[] {
  const desc: DescEnum | undefined = field?.enum;
  return desc === undefined ? [] : spellingsEverywhere(desc);
}

/** A sibling of the broken rule: for `repeated.items.string.max_len`, a rule of `repeated.items.string`. */
function ruleBeside(field: DescField | undefined, rule: Path, name: string): unknown {
  if (field === undefined) return undefined;
  let rules: ReflectMessage = reflect(FieldRulesSchema, getOption(field, fieldOption));
  for (const step of rule.slice(0, -1)) {
    const next = step.kind === "field" && step.message !== undefined ? rules.get(step) : undefined;
    if (next === undefined) return undefined;
    rules = next as ReflectMessage;
  }
  const limit = rules.desc.fields.find((candidate) => candidate.name === name);
  return limit === undefined ? undefined : rules.get(limit);
}

function listed(values: unknown): string[] {
  if (typeof values === "string") return [values];
  return isReflectList(values) ? [...values].map(String) : [];
}

/**
 * External spelling of the values of an enum of proto/, by number: `ANALYSIS_TYPE_SPAM_DETECTION` is `spam-detection`.
 * The unspecified value 0 has no spelling.
 */
export function enumSpellings({ values, sharedPrefix = "" }: DescEnum): Map<number, string> {
  const named = values.filter(({ number }) => number !== 0);
  return new Map(named.map(({ name, number }) => [number, spell(name, sharedPrefix)]));
}

/** The spellings of the values that every server has: those without a setting that must name them. */
export function spellingsEverywhere(desc: DescEnum): string[] {
  const all = enumSpellings(desc);
  const everywhere = desc.values.filter((value) => getOption(value, namedBy) === "");
  return everywhere.flatMap(({ number }) => all.get(number) ?? []);
}

function spell(name: string, prefix: string): string {
  return name.slice(prefix.length).toLowerCase().replaceAll("_", "-");
}
