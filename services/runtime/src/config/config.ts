import * as z from "zod";
import { ConfigError } from "./config-error.js";
import { type Environment, FILE_SUFFIX, type GivenValues, givenValues } from "./environment.js";
import { PROCESS_VARIABLES, type ProcessConfig, toProcessConfig } from "./process-config.js";
import type { ConfigOf, Settings } from "./settings.js";
import { isSecret, spellingsOf } from "./variable-kinds.js";
import type { Variables } from "./variables.js";

/** The settings of a process in addition to the common ones, by the key of their configuration. */
export type Owners = Readonly<Record<string, Settings>>;

/** The validated, typed configuration of a process. Created once, at start. */
export type Config<O extends Owners> = ProcessConfig & { readonly [K in keyof O]: ConfigOf<O[K]> };

/**
 * Reads the configuration of a process. An empty variable counts as unset; an undeclared one is ignored (see
 * unknownVariables). Throws ConfigError.
 */
export function readConfig<const O extends Owners>(env: Environment, owners: O): Config<O> {
  const variables = variablesOf(owners);
  const given = givenValues(env, variables);
  const result = z.object(variables).safeParse(given.values);
  const problems = [
    ...given.problems,
    ...(result.error?.issues ?? []).map((issue) => sentenceOf(issue, given, variables)),
  ];
  if (!result.success || problems.length > 0) throw new ConfigError(`Wrong configuration: ${problems.join("; ")}`);
  const values = result.data as Parameters<typeof toProcessConfig>[0];
  const process = toProcessConfig(values, given.values);
  const owned = Object.entries(owners).map(([key, settings]) => [key, settings.toConfig(values, process)] as const);
  return { ...process, ...Object.fromEntries(owned) } as Config<O>;
}

/** All variables of a process. Owners may share a variable only by sharing its declaration. */
export function variablesOf(owners: Owners): Variables {
  const variables: Record<string, z.ZodType> = { ...PROCESS_VARIABLES };
  for (const { variables: declared } of Object.values(owners)) {
    for (const [name, schema] of Object.entries(declared)) {
      if (variables[name] !== undefined && variables[name] !== schema) throw new Error(`${name} is declared twice`);
      variables[name] = schema;
    }
  }
  return variables;
}

/** The names under which variables may be given: their own, earlier spellings, and those of the files with secrets. */
export function namesOf(variables: Variables): string[] {
  return Object.entries(variables).flatMap(([name, schema]) => [
    name,
    ...spellingsOf(schema),
    ...(isSecret(schema) ? [name + FILE_SUFFIX] : []),
  ]);
}

function sentenceOf(issue: z.core.$ZodIssue, { values, files }: GivenValues, variables: Variables): string {
  const name = String(issue.path[0]);
  const schema = variables[name];
  const value = schema !== undefined && isSecret(schema) ? "(not shown)" : JSON.stringify(values[name]);
  const file = files.get(name);
  return `${name}${file === undefined ? "" : ` in "${file}"`} is ${value}, allowed: ${issue.message}`;
}
