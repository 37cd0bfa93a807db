import { giveAtMost, ID_NEEDED, nearest, REQUIRED, type FieldViolation } from "@hourglass/runtime";

/** Collects every wrong field of a request, by the path a client would write: `contents[3]`, `user.email`. */
export type Violations = FieldViolation[];

/**
 * Reads a JSON value. When the value is of the wrong shape, it says so in `violations` and returns null. It checks the
 * shape only; the rules on values stand in proto/.
 */
export type Read<T> = (value: unknown, path: string, violations: Violations) => T | null;

/** Of an object with more fields only the first ones are compared with a name that is missing. */
const NAMES_COMPARED_MAX = 50;

/** The fields of a JSON object that were asked for. An absent and a null field are the same. */
export class ObjectReader {
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

  /** A name that is nearly the right one is told: unknown fields are ignored otherwise. */
  private missing(name: string): string {
    const given = nearest(name, Object.keys(this.value).slice(0, NAMES_COMPARED_MAX));
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
  // Half a surrogate pair cannot be stored or sent on unchanged.
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

/** An array of at most `itemsMax`. A wrong item leaves `placeholder` in its place, so that the others keep theirs. */
export function list<T>(
  read: Read<T>,
  { itemsMax, placeholder }: { itemsMax: number; placeholder: (index: number) => T },
): Read<T[]> {
  return (value, path, violations) => {
    if (!Array.isArray(value)) return wrong(violations, path, "Give an array.");
    // Not looking into a list that is too long keeps the answer short and the work small.
    if (value.length > itemsMax) return wrong(violations, path, giveAtMost(itemsMax, "item"));
    const items = value as unknown[];
    return items.map((item, index) => read(item, `${path}[${index}]`, violations) ?? placeholder(index));
  };
}

/** Notes a wrong field and its remedy; returns what its reader has to return. */
export function wrong(violations: Violations, field: string, message: string): null {
  violations.push({ field, message });
  return null;
}
