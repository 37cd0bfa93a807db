import type { Json } from "@hourglass/runtime";
import * as z from "zod";

const schema = z.object({
  /** Number of the last item that the search has read. */
  seq: z.int().nonnegative(),
  /** While the stream is behind: how far it was read, so that pages of one poll differ. */
  behind: z.number().nullable(),
});

/** Where a search stands. */
export type Position = Readonly<z.output<typeof schema>>;

/** The position that `toJson` wrote; undefined for null and for what it did not write. */
export function positionOf(json: Json): Position | undefined {
  return schema.safeParse(json).data;
}

export function toJson({ seq, behind }: Position): Json {
  return { seq, behind };
}
