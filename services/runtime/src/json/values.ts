import type { GenEnum } from "@bufbuild/protobuf/codegenv2";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import type { FieldViolation } from "../errors/app-error.js";
import { nearest } from "../errors/sentences.js";
import { enumSpellings, REQUIRED } from "../rpc/validation/rule-sentences.js";

/** Collects every invalid field of a request, by the path a client would write: `contents[3]`, `user.email`. */
export type Violations = FieldViolation[];

/** What to do about a value of another type than the named one. */
export const GIVE = {
  string: "Give a string.",
  number: "Give a whole number.",
  boolean: "Give true or false.",
  array: "Give an array.",
  object: "Give an object.",
  record: "Give an object.",
} as const;

/** What to do about a lone surrogate, which cannot be stored or sent on unchanged. */
export const GIVE_WHOLE_CHARACTERS = "Give whole Unicode characters: there is half a surrogate pair in it.";

/** Whether a text is of whole Unicode characters. */
export function isWhole(text: string): boolean {
  return text.isWellFormed();
}

/** Only the first fields of an object with more are compared with a missing name. */
const NAMES_COMPARED_MAX = 50;

/** About a missing field: suggests a given one with a similar name, since unknown fields are otherwise ignored. */
export function giveMissing(name: string, given: readonly string[]): string {
  const similar = nearest(name, given.slice(0, NAMES_COMPARED_MAX));
  return similar === undefined || similar === name ? REQUIRED : `${REQUIRED} You gave ${similar} instead.`;
}

/** How JSON spells the values of a proto enum: `ANALYSIS_TYPE_SPAM_DETECTION` is `spam-detection`. */
export class Spelling<E extends number> {
  /** All spellings, in the order of the proto enum. */
  readonly names: readonly string[];
  private readonly byNumber: readonly (string | undefined)[];
  private readonly byName: ReadonlyMap<string, E>;

  constructor(
    readonly desc: GenEnum<E>,
    /** Separator between the words of a spelling. */
    separator = "-",
  ) {
    const spelled = [...enumSpellings(desc)].map(
      ([number, name]) => [number, name.replaceAll("-", separator)] as const,
    );
    const byNumber: (string | undefined)[] = [];
    for (const [number, name] of spelled) byNumber[number] = name;
    this.names = spelled.map(([, name]) => name);
    this.byNumber = byNumber;
    this.byName = new Map(spelled.map(([number, name]) => [name, number as E]));
  }

  /** Returns the spelling of a value; for a value that only a newer server knows, its number; `unknown` for 0. */
  of(value: E): string {
    return this.byNumber[value] ?? (value === 0 ? "unknown" : String(value));
  }

  /** Returns the spelling of a value. Throws RangeError for a number that is none, which the rules of requests exclude. */
  nameOf(value: E): string {
    const name = this.byNumber[value];
    if (name === undefined) throw new RangeError(`Not a value of the enum: ${value}`);
    return name;
  }

  /** Returns the value of a spelling; 0 for one that only another release knows. */
  numberOf(name: string): E {
    return this.byName.get(name) ?? (0 as E);
  }

  readonly all = (values: readonly E[]): string[] => values.map((value) => this.of(value));
}

/** A moment in the form from which a message is built. */
export interface Moment {
  seconds: bigint;
  nanos: number;
}

/** Returns a moment in ISO 8601, or null if there is none. */
export function toIso(moment: Timestamp | undefined): string | null {
  return moment === undefined ? null : toDate(moment).toISOString();
}

/** Returns a moment as a JavaScript Date. */
export function toDate(moment: Timestamp): Date {
  return new Date(Number(moment.seconds) * 1000 + Math.floor(moment.nanos / 1_000_000));
}

/** The first moment in UTC of a date `YYYY-MM-DD`; undefined for another text. */
export function dayOf(text: string): Moment | undefined {
  const date = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  return date === null ? undefined : momentOf([Number(date[1]), Number(date[2]), Number(date[3])], [0, 0, 0]);
}

/** Year, month, day and offset of time zones as RFC 3339 has them; fractions of a second have up to nine digits. */
const MOMENT = /^(\d{4}-\d\d-\d\d)(T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d))?$/;

/** A moment with its time zone, or the first moment in UTC of a date; undefined for another text. To the millisecond. */
export function momentOrDayOf(text: string): Moment | undefined {
  if (dayOf(MOMENT.exec(text)?.[1] ?? "") === undefined) return undefined;
  const ms = Date.parse(text);
  const seconds = Math.floor(ms / 1000);
  return { seconds: BigInt(seconds), nanos: (ms - 1000 * seconds) * 1_000_000 };
}

/** Returns the moment of a date (year, month, day) and a time of day in UTC, if both are valid. */
export function momentOf(
  [year, month, day]: readonly [number, number, number],
  [hours, minutes, seconds]: readonly [number, number, number],
): Moment | undefined {
  const date = new Date(Date.UTC(year, month - 1, day, hours, minutes, seconds));
  const exists = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  if (!exists || hours > 23 || minutes > 59 || seconds > 59) return undefined;
  return { seconds: BigInt(date.getTime() / 1000), nanos: 0 };
}
