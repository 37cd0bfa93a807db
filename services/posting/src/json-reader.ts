import { giveAtMost, giveOneOf, VIOLATIONS_MAX } from "@hourglass/runtime";
import {
  GIVE,
  GIVE_WHOLE_CHARACTERS,
  giveMissing,
  isWhole,
  type Spelling,
  type Violations,
} from "@hourglass/runtime/json";

/**
 * Reads a JSON value. If the value has the wrong shape, it adds a violation and returns null. It checks only the shape;
 * the rules on values are in proto/.
 */
export type Read<T> = (value: unknown, path: string, violations: Violations) => T | null;

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
    const message = giveMissing(name, (this.given ??= Object.keys(this.value)));
    this.violations.push({ field: this.prefix + name, message });
    return undefined;
  }

  optional<T>(name: string, read: Read<T>): T | undefined {
    const value = this.own(name);
    return value === undefined ? undefined : (read(value, this.prefix + name, this.violations) ?? undefined);
  }

  /** Whether the object states the field. */
  has(name: string): boolean {
    return this.own(name) !== undefined;
  }

  /** Adds a violation about a field. */
  refuse(name: string, message: string): void {
    this.violations.push({ field: this.prefix + name, message });
  }

  private own(name: string): unknown {
    return Object.hasOwn(this.value, name) ? (this.value[name] ?? undefined) : undefined;
  }
}

/** A JSON object, whose fields `build` reads. */
export function object<T>(build: (reader: ObjectReader) => T): Read<T> {
  return (value, path, violations) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      return wrong(violations, path, GIVE.object);
    }
    return build(new ObjectReader(value as Record<string, unknown>, path === "" ? "" : `${path}.`, violations));
  };
}

/** A string of whole Unicode characters. */
export const string: Read<string> = (value, path, violations) => {
  if (typeof value !== "string") return wrong(violations, path, GIVE.string);
  return isWhole(value) ? value : wrong(violations, path, GIVE_WHOLE_CHARACTERS);
};

/** One of the spellings of an enum. */
export function spelling<E extends number>(spellings: Spelling<E>): Read<E> {
  return (value, path, violations) =>
    typeof value === "string" && spellings.names.includes(value)
      ? spellings.numberOf(value)
      : wrong(violations, path, giveOneOf(spellings.names, value));
}

/**
 * An array of strings, at most `itemsMax`. An invalid item becomes empty, so that the others keep their index; so do
 * those after more than VIOLATIONS_MAX violations, which are not examined.
 */
export function strings(itemsMax: number): Read<string[]> {
  return (value, path, violations) => {
    if (!Array.isArray(value)) return wrong(violations, path, GIVE.array);
    // A list that is too long is not examined, which keeps the response short and the work small.
    if (value.length > itemsMax) return wrong(violations, path, giveAtMost(itemsMax, "item"));
    const items = value as unknown[];
    const examined = (item: unknown, index: number): string | null =>
      violations.length > VIOLATIONS_MAX ? null : string(item, `${path}[${index}]`, violations);
    return items.map((item, index) => examined(item, index) ?? "");
  };
}

/** Adds a violation with its remedy; returns the value that the reader must return. */
export function wrong(violations: Violations, field: string, message: string): null {
  violations.push({ field, message });
  return null;
}
