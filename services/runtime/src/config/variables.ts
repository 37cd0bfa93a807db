import type * as z from "zod";

/** Variables by name, each with its schema and default. */
export type Variables = Readonly<Record<string, z.ZodType>>;

/** The parsed values of the variables. */
export type Values<V extends Variables> = z.output<z.ZodObject<V>>;
