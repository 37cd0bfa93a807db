import * as z from "zod";
import { maybe } from "../../asking/lenient.js";

const TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:?\d\d)$/;

/** A time such as `2026-11-20T08:09:52+0000`, in milliseconds since the epoch. */
export const graphTime = z
  .string()
  .transform((text) => {
    const [, time = "", zone = ""] = TIME.exec(text) ?? [];
    return Date.parse(time + zone.replace(/^([+-]\d\d)(\d\d)$/, "$1:$2"));
  })
  .refine((time) => Number.isFinite(time));

/** An id, which is never a number: those lose digits. */
export const graphId = z.string().min(1).max(200);

/** Where the next page begins. `paging.next` is a URL that holds the token: that it is there is all that is read of it. */
export const paging = maybe(
  z.object({
    cursors: maybe(z.object({ after: maybe(z.string().min(1)) })),
    next: maybe(z.string().min(1)),
  }),
);
