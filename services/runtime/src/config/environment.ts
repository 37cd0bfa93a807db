import { readFileSync } from "node:fs";
import { isSecret, spellingsOf } from "./variable-kinds.js";
import type { Variables } from "./variables.js";

/** The variables of a process, as the operating system gives them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The suffix of a variable that names the file with a secret. */
export const FILE_SUFFIX = "_FILE";

/** The values that an environment gives to variables, under their own names. */
export interface GivenValues {
  readonly values: Readonly<Record<string, string>>;
  /** The files that values come from, by variable. */
  readonly files: ReadonlyMap<string, string>;
  /** What is wrong with the way values are given, a sentence each. */
  readonly problems: readonly string[];
}

/**
 * Collects the values of an environment. An empty variable counts as unset. A secret may come from the file that
 * `<NAME>_FILE` names, as container platforms mount them, without the line feed at its end; a variable may be given in
 * an earlier spelling of its name.
 */
export function givenValues(env: Environment, variables: Variables): GivenValues {
  const values = new Map(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== ""),
  );
  const files = new Map<string, string>();
  const problems: string[] = [];
  for (const [name, schema] of Object.entries(variables)) {
    for (const spelling of spellingsOf(schema)) {
      const value = values.get(spelling);
      if (value === undefined) continue;
      const current = values.get(name);
      if (current !== undefined && current !== value) problems.push(`${name} and ${spelling} ${BOTH}`);
      values.set(name, value);
    }
    const file = isSecret(schema) ? values.get(name + FILE_SUFFIX) : undefined;
    if (file === undefined) continue;
    if (values.has(name)) {
      problems.push(`${name} and ${name}${FILE_SUFFIX} ${BOTH}`);
      continue;
    }
    const read = readSecret(file);
    if ("problem" in read) problems.push(`${name}${FILE_SUFFIX} is "${file}", which ${read.problem}`);
    else values.set(name, read.secret);
    files.set(name, file);
  }
  return { values: Object.fromEntries(values), files, problems };
}

const BOTH = "are both set, allowed: one of them";

function readSecret(file: string): { secret: string } | { problem: string } {
  try {
    // Editors and `echo` end a file with a line feed, which no secret ends with.
    const secret = readFileSync(file, "utf8").replace(/(\r?\n)+$/, "");
    return secret === "" ? { problem: "is empty" } : { secret };
  } catch (error) {
    return { problem: `cannot be read (${error instanceof Error ? error.message : String(error)})` };
  }
}
