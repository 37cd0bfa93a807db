import * as z from "zod";

/** A whole number. */
export const integer = (min: number, max: number, fallback: number) =>
  z
    .string()
    .regex(/^\d+$/, `a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `a whole number from ${min} to ${max}`)
    .default(fallback);

/** A whole number without a default, for variables whose absence means something. */
export const optionalInteger = (min: number, max: number) => integer(min, max, min).unwrap().optional();

/** A text that is not empty. */
export const text = (max = 4096) => z.string().min(1, "a text that is not empty").max(max, `at most ${max} characters`);

/** `true` or `false`; false by default. */
export const flag = z
  .enum(["true", "false", "1", "0"], "true or false")
  .transform((value) => value === "true" || value === "1")
  .default(false);

/** A URL of one of these schemes. */
export const url = (...schemes: string[]) =>
  z
    .string()
    .refine(
      (value) => schemes.some((scheme) => value.startsWith(`${scheme}://`)) && URL.canParse(value),
      `a URL that begins with ${schemes.map((scheme) => `${scheme}://`).join(" or ")}`,
    );

const HOST_PATTERN = /^(\*\.)?[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/;

/** Comma-separated host names; the prefix `*.` matches all subdomains. */
export const hosts = () =>
  z
    .string()
    .transform((value) => value.split(",").map((host) => host.trim().toLowerCase()))
    .refine((list) => list.every((host) => HOST_PATTERN.test(host)), "host names, *. before one for all below it")
    .optional();

/** A TCP port; 0 lets the system choose. */
export const port = () =>
  z
    .string()
    .regex(/^\d+$/, "a whole number from 0 to 65535")
    .transform(Number)
    .refine((value) => value <= 65_535, "a whole number from 0 to 65535");

const ADDRESS = /^(dns:\/\/\/)?([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\]):\d{1,5}$/;

/** Addresses of a part, comma-separated: `host:port` or `dns:///name:port`. */
export const addresses = (fallback: string) =>
  z
    .string()
    .default(fallback)
    .transform((value) => value.split(",").map((address) => address.trim()))
    .refine((list) => list.every((address) => ADDRESS.test(address)), "host:port, several with commas between");

/** Comma-separated list of some of these words; default: all. */
export const list = <T extends string>(allowed: readonly T[]) =>
  z
    .string()
    .default(allowed.join(","))
    .transform((value) => value.split(",").map((entry) => entry.trim()))
    .refine((values) => values.every((value) => (allowed as readonly string[]).includes(value)), {
      error: `some of ${allowed.join(",")}, with commas between`,
    })
    .transform((values) => allowed.filter((entry) => values.includes(entry)));

/**
 * Comma-separated entries. `read` returns an entry in its normal form, or undefined if it is not allowed; `form` says what
 * is allowed. An empty variable counts as not set, so `none` is a word for an empty list, if there is one; a fallback
 * without entries needs it.
 */
export const entries = (
  read: (entry: string) => string | undefined,
  form: string,
  fallback: readonly string[],
  none?: string,
) =>
  z
    .string()
    .default(fallback.length === 0 && none !== undefined ? none : fallback.join(","))
    .transform((value) => (value.trim() === none ? [] : value.split(",").map((entry) => read(entry.trim()))))
    .refine((list): list is string[] => list.every((entry) => entry !== undefined), form)
    .transform((list) => [...new Set(list)]);

const PASSWORD_CHARACTERS_MAX = 1024;

/** A password or passphrase with a minimum length. */
export const password = (charactersMin: number) =>
  z
    .string()
    .min(charactersMin, `at least ${charactersMin} characters`)
    .max(PASSWORD_CHARACTERS_MAX, `at most ${PASSWORD_CHARACTERS_MAX} characters`);

/** Marks a variable whose value is never shown in a message. */
export const secret = <S extends z.ZodType>(schema: S): S => schema.meta({ ...schema.meta(), secret: true });

/** Whether `secret` marked it. */
export const isSecret = (schema: z.ZodType): boolean => schema.meta()?.["secret"] === true;

/** Lets a variable be given under earlier spellings of its name, too. */
export const alsoSpelled = <S extends z.ZodType>(schema: S, ...spellings: string[]): S =>
  schema.meta({ ...schema.meta(), spellings });

/** The earlier spellings of a variable's name. */
export const spellingsOf = (schema: z.ZodType): readonly string[] =>
  (schema.meta()?.["spellings"] as readonly string[] | undefined) ?? [];

/** Variables by name, each with its schema and default. */
export type Variables = Readonly<Record<string, z.ZodType>>;

/** The parsed values of the variables. */
export type Values<V extends Variables> = z.output<z.ZodObject<V>>;

/** The environment is invalid; `message` is one line with every invalid variable, its value and what is allowed. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** The kinds of variables, under one name. */
export const variable = {
  integer,
  optionalInteger,
  text,
  flag,
  url,
  hosts,
  port,
  addresses,
  list,
  entries,
  password,
  secret,
  alsoSpelled,
} as const;
