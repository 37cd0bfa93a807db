import * as z from "zod";
import { ConfigError } from "./config-error.js";
import { PROCESS_VARIABLES, type ProcessConfig, toProcessConfig } from "./process-config.js";
import type { ConfigOf, Settings } from "./settings.js";
import { isSecret } from "./variable-kinds.js";
import type { Variables } from "./variables.js";

/** The settings of a process in addition to the common ones, by the key of their configuration. */
export type Owners = Readonly<Record<string, Settings>>;

/** The validated, typed configuration of a process. Created once, at start. */
export type Config<O extends Owners> = ProcessConfig & { readonly [K in keyof O]: ConfigOf<O[K]> };

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the configuration of a process. An empty variable counts as unset; an undeclared one is ignored. Throws
 * ConfigError.
 */
export function readConfig<const O extends Owners>(env: Environment, owners: O): Config<O> {
  const present = Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== ""),
  );
  const variables = variablesOf(owners);
  const result = z.object(variables).safeParse(present);
  if (!result.success) throw new ConfigError(describe(result.error, { env, variables }));
  const values = result.data as Parameters<typeof toProcessConfig>[0];
  const process = toProcessConfig(values, present);
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

function describe(error: z.ZodError, { env, variables }: { env: Environment; variables: Variables }): string {
  const problems = error.issues.map((issue) => {
    const name = String(issue.path[0]);
    const schema = variables[name];
    const value = schema !== undefined && isSecret(schema) ? "(not shown)" : JSON.stringify(env[name]);
    return `${name} is ${value}, allowed: ${issue.message}`;
  });
  return `Wrong configuration: ${problems.join("; ")}`;
}
