import type { z } from "zod";

/** Variables by name, each with what it allows and its default. */
export type Variables = Readonly<Record<string, z.ZodType>>;

/** What the variables hold once they are read. */
export type Values<V extends Variables> = z.output<z.ZodObject<V>>;
