import type { GenEnum } from "@bufbuild/protobuf/codegenv2";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { type FieldViolation, VIOLATIONS_MAX } from "../errors/app-error.js";
import { giveAtMost, giveOneOf, nearest } from "../errors/sentences.js";
import { enumSpellings, ID_NEEDED, REQUIRED } from "../rpc/validation/rule-sentences.js";

/** Collects every invalid field of a request, by the path a client would write: `contents[3]`, `user.email`. */
export type Violations = FieldViolation[];

/**
 * Reads a JSON value. If the value has the wrong shape, it adds a violation and returns null. It checks only the shape;
 * the rules on values are in proto/.
 */
export type Read<T> = (value: unknown, path: string, violations: Violations) => T | null;

/** Only the first fields of an object with more are compared with a missing name. */
const NAMES_COMPARED_MAX = 50;

/** The requested fields of a JSON object. An absent field and a null field are the same. */
export class ObjectReader {
  /** Listed once, since an object may have very many. */
  private given: readonly string[] | undefined;

  constructor(
    private readonly value: Readonly<Record<string, unknown>>,
    private readonly prefix: string,
    private readonly violations: Violations,
  ) {}

  required<T>(name: string, read: Read<T>): T | undefined {
    const value = this.own(name);
    if (value !== undefined) return read(value, this.prefix + name, this.violations) ?? undefined;
    this.violations.push({ field: this.prefix + name, message: this.missing(name) });
    return undefined;
  }

  optional<T>(name: string, read: Read<T>): T | undefined {
    const value = this.own(name);
    return value === undefined ? undefined : (read(value, this.prefix + name, this.violations) ?? undefined);
  }

  /** Suggests a field with a similar name, since unknown fields are otherwise ignored. */
  private missing(name: string): string {
    this.given ??= Object.keys(this.value).slice(0, NAMES_COMPARED_MAX);
    const given = nearest(name, this.given);
    return given === undefined || given === name ? REQUIRED : `${REQUIRED} You gave ${given} instead.`;
  }

  private own(name: string): unknown {
    return Object.hasOwn(this.value, name) ? (this.value[name] ?? undefined) : undefined;
  }
}

/** A JSON object, whose fields `build` reads. */
export function object<T>(build: (reader: ObjectReader) => T): Read<T> {
  return (value, path, violations) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      return wrong(violations, path, "Give an object.");
    }
    return build(new ObjectReader(value as Record<string, unknown>, path === "" ? "" : `${path}.`, violations));
  };
}

/** Whether a text is of whole Unicode characters. */
export function isWhole(text: string): boolean {
  return text.isWellFormed();
}

/** About a lone surrogate, which cannot be stored or sent on unchanged. */
export const HALF_CHARACTER = "Give whole Unicode characters: there is half a surrogate pair in it.";

/** A string of whole Unicode characters. */
export const string: Read<string> = (value, path, violations) => {
  if (typeof value !== "string") return wrong(violations, path, "Give a string.");
  return isWhole(value) ? value : wrong(violations, path, HALF_CHARACTER);
};

export const boolean: Read<boolean> = (value, path, violations) =>
  typeof value === "boolean" ? value : wrong(violations, path, "Give true or false.");

/** The id of a record. */
export const id: Read<bigint> = (value, path, violations) => {
  if (typeof value === "number" && Number.isSafeInteger(value) && value > 0) return BigInt(value);
  return wrong(violations, path, ID_NEEDED);
};

/**
 * An array of at most `itemsMax`. An invalid item becomes `placeholder`, so that the others keep their index; so do those
 * after more than VIOLATIONS_MAX violations, which are not examined.
 */
export function list<T>(
  read: Read<T>,
  { itemsMax, placeholder }: { itemsMax: number; placeholder: (index: number) => T },
): Read<T[]> {
  return (value, path, violations) => {
    if (!Array.isArray(value)) return wrong(violations, path, "Give an array.");
    // A list that is too long is not examined, which keeps the response short and the work small.
    if (value.length > itemsMax) return wrong(violations, path, giveAtMost(itemsMax, "item"));
    const items = value as unknown[];
    const examined = (item: unknown, index: number): T | null =>
      violations.length > VIOLATIONS_MAX ? null : read(item, `${path}[${index}]`, violations);
    return items.map((item, index) => examined(item, index) ?? placeholder(index));
  };
}

/** Adds a violation with its remedy; returns the value that the reader must return. */
export function wrong(violations: Violations, field: string, message: string): null {
  violations.push({ field, message });
  return null;
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

  /** Reads a spelling. */
  readonly read: Read<E> = (value, path, violations) => this.readAmong(this.names)(value, path, violations);

  /** Reads one of some spellings. */
  readAmong(names: readonly string[]): Read<E> {
    return (value, path, violations) => {
      const number = typeof value === "string" && names.includes(value) ? this.byName.get(value) : undefined;
      return number ?? wrong(violations, path, giveOneOf(names, value));
    };
  }

  /** Reads an array of spellings. */
  list(itemsMax: number, names: readonly string[] = this.names): Read<E[]> {
    // Not a value of the enum, and different for each index, so that two unknown values are not a repetition.
    return list(this.readAmong(names), { itemsMax, placeholder: (index) => (-1 - index) as E });
  }
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

export const calendarDate: Read<Moment> = (value, path, violations) =>
  (typeof value === "string" ? dayOf(value) : undefined) ??
  wrong(violations, path, "Give a calendar date such as 2026-01-31.");

/** The first moment in UTC of a date `YYYY-MM-DD`; undefined for another text. */
export function dayOf(text: string): Moment | undefined {
  const date = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  return date === null ? undefined : momentOf([Number(date[1]), Number(date[2]), Number(date[3])], [0, 0, 0]);
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
