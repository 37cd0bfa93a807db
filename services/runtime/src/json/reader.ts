import { VIOLATIONS_MAX, type FieldViolation } from "../errors/app-error.js";
import { giveAtMost, nearest } from "../errors/sentences.js";
import { ID_NEEDED, REQUIRED } from "../rpc/validation/rule-sentences.js";

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

/** A string of whole Unicode characters. */
export const string: Read<string> = (value, path, violations) => {
  if (typeof value !== "string") return wrong(violations, path, "Give a string.");
  // A lone surrogate cannot be stored or sent on unchanged.
  if (!value.isWellFormed())
    return wrong(violations, path, "Give whole Unicode characters: there is half a surrogate pair in it.");
  return value;
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
