import type { GenEnum } from "@bufbuild/protobuf/codegenv2";
import { giveOneOf } from "../errors/sentences.js";
import { enumSpellings } from "../rpc/validation/enum-spelling.js";
import { list, wrong, type Read } from "./reader.js";

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
