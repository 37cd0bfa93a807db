import * as z from "zod";

/**
 * A field that a platform may leave out; with a value of another type it counts as left out. Platforms write null and ""
 * for that in most items: `catch` of zod would describe each of them before it forgets them, which takes longer than to
 * read all the rest.
 */
export function maybe<T extends z.ZodType>(schema: T) {
  return z.transform((value: unknown) => fitting(schema, value)).optional();
}

/** What a schema makes of a value; undefined if it does not fit. */
function fitting<T extends z.ZodType>(schema: T, given: unknown): z.output<T> | undefined {
  const { value, issues } = schema._zod.run({ value: given, issues: [] }, { async: false }) as z.core.ParsePayload;
  return issues.length === 0 ? (value as z.output<T>) : undefined;
}

const INT64_MAX = 2n ** 63n - 1n;

/** A whole number that a number cannot hold, as `parseLongNumbers` reads it. */
const longCount = z
  .string()
  .refine((digits) => /^-?\d{16,19}$/.test(digits) && BigInt(digits) <= INT64_MAX && BigInt(digits) >= -INT64_MAX);

/** A count, from which nothing is taken. */
export const count = z.union([z.int().nonnegative(), longCount.refine((digits) => !digits.startsWith("-"))]);

/** A count that a platform may leave out. */
export const maybeCount = maybe(count);

/** A number of pages, results or replies, from which the next page continues. */
export const maybeNumber = maybe(z.int().nonnegative());

/** A count below zero as well. */
export const maybeScore = maybe(z.union([z.int(), longCount]));

/** A list that a platform may leave out; the entries that do not fit are left out. */
export function maybeList<T extends z.ZodType>(entry: T) {
  return z
    .transform((value: unknown): NonNullable<z.output<T>>[] | undefined =>
      Array.isArray(value)
        ? value.map((each: unknown) => fitting(entry, each)).filter((each) => each !== undefined && each !== null)
        : undefined,
    )
    .optional();
}

/** A time as ISO 8601 writes it, in milliseconds since the epoch. */
export const statedTime = z
  .string()
  .transform((value) => Date.parse(value))
  .refine((value) => Number.isFinite(value));

/** Set by sources of invented postings. */
export const demoMark = maybe(z.literal(true));

/** An object without the values that are undefined. */
export function defined<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const result: { [K in keyof T]?: Exclude<T[K], undefined> } = {};
  for (const key in values)
    if (values[key] !== undefined) result[key] = values[key] as Exclude<T[typeof key], undefined>;
  return result;
}

/** The items of a page that could be read. */
export interface ReadItems<T> {
  readonly items: readonly T[];
  /** How many could not. */
  readonly skipped: number;
}

/** Reads each item of a list by itself, so that a bad one does not spoil the page. No list, such as `{}`, has no items. */
export function readEach<T>(list: unknown, read: (item: unknown) => T | undefined): ReadItems<T> {
  if (!Array.isArray(list)) return { items: [], skipped: 0 };
  const items = list.map(read).filter((item) => item !== undefined);
  return { items, skipped: list.length - items.length };
}
