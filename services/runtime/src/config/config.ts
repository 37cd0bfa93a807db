import { readFileSync } from "node:fs";
import { closestMatch } from "leven";
import * as z from "zod";
import { nearest } from "../errors/sentences.js";
import { PROCESS_VARIABLES, type ProcessConfig, toProcessConfig } from "./process-config.js";
import type { ConfigOf, Settings } from "./settings.js";
import { VARIABLE_NAMES } from "./variable-names.js";
import { ConfigError, isSecret, spellingsOf, type Variables } from "./variables.js";

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

/** The variables of a process, as the operating system gives them. */
type Environment = Readonly<Record<string, string | undefined>>;

/** The suffix of a variable that names the file with a secret. */
const FILE_SUFFIX = "_FILE";

/** The values that an environment gives to variables, under their own names. */
interface GivenValues {
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
function givenValues(env: Environment, variables: Variables): GivenValues {
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

/** A variable that nothing reads, and the one that was probably meant. */
interface UnknownVariable {
  readonly variable: string;
  readonly meant: string;
}

/** First words that variables of other programs on the same machine or in the same pod begin with, too. */
const OF_OTHERS = new Set(
  "AMQP AUTH DATA GRPC HF LOG MEDIA MODEL MODELS MONGODB NEW NODE OTEL SERVICE TLS URL".split(" "),
);
/**
 * Variables of Node, of the libraries below it, of shells, and of what starts processes. None of them is a misspelling, however
 * near it is to one of ours: NODE_EXTRA_CA_CERTS, SSL_CERT_FILE, HTTPS_PROXY, POSTGRES_URL.
 */
const WELL_KNOWN = [
  /^(AWS|AZURE|CI|CURL|DOCKER|GCP|GIT|GITHUB|GITLAB|GOOGLE|KUBERNETES|LC|LD|MALLOC|NODE|NPM|NVM|OPENSSL|PG|POSTGRES|PYTHON|REDIS)_/,
  /^(REQUESTS|RUBY|SENTRY|SSH|SSL|SUDO|SYSTEMD|UV|XDG|YARN)_/,
  /_PROXY$/,
  /^(HOME|HOSTNAME|HOSTTYPE|LOGNAME|MAIL|OLDPWD|PATH|PWD|SHELL|TERM|USER)$/,
];
/** Kubernetes and Docker describe the services beside a container in such variables. */
const LINK = /_(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT(_\d+_(TCP|UDP)(_\w+)?)?)$/;

/**
 * Variables that no process of the product reads although they look like settings: a name within a typo of one of ours, or
 * one that begins like one. A misspelled setting would otherwise be ignored without a word.
 */
export function unknownVariables(
  env: Environment,
  known: readonly string[] = VARIABLE_NAMES,
): readonly UnknownVariable[] {
  const names = new Set(known);
  return Object.keys(env)
    .filter((variable) => env[variable] !== "" && /^[A-Z][A-Z0-9_]*$/.test(variable) && !names.has(variable))
    .filter((variable) => !WELL_KNOWN.some((pattern) => pattern.test(variable)))
    .flatMap((variable) => {
      const meant = nearest(variable, known) ?? (LINK.test(variable) ? undefined : alike(variable, known));
      return meant === undefined ? [] : [{ variable, meant }];
    });
}

/** The name that begins like this one; of several, one that has all its words, or the one with the fewest differences. */
function alike(variable: string, known: readonly string[]): string | undefined {
  const words = variable.split("_");
  const [first = ""] = words;
  if (words.length < 2) return undefined;
  const family = known.filter((name) => name.startsWith(`${first}_`));
  const containing = family.filter((name) => words.every((word) => name.split("_").includes(word)));
  if (containing.length > 0) return closestMatch(variable, containing);
  return family.length < 2 || OF_OTHERS.has(first) ? undefined : closestMatch(variable, family);
}
