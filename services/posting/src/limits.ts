import type { ShapeLimits } from "@hourglass/runtime/json";

/** Rows with more bytes are not read. */
export const ROW_BYTES_MAX = 1_048_576;

/** A row whose JSON exceeds these limits is not read: no posting is that large. */
export const JSON_LIMITS: ShapeLimits = { parts: 60_000, depth: 64 };

/** Longer lists are not examined. */
export const ITEMS_MAX = 1000;
