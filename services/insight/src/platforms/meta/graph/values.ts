import * as z from "zod";
import { maybe } from "../../schemas.js";

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

const token = maybe(z.string().min(1));

/**
 * Where the next page begins. `paging.next` is a URL that holds the access token, too: only its cursor is taken over,
 * where the answer does not name it by itself.
 */
export const paging = maybe(
  z.object({ cursors: maybe(z.object({ after: token })), next: token }).transform(({ cursors, next }) => ({
    hasNext: next !== undefined,
    after: cursors?.after ?? cursorIn(next),
  })),
);

function cursorIn(url = ""): string | undefined {
  const after = URL.canParse(url) ? new URL(url).searchParams.get("after") : null;
  return after === null || after === "" ? undefined : after;
}
