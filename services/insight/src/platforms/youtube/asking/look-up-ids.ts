import { readEach } from "../../schemas.js";
import { type LookUpRequest, PlatformError } from "../../connector.js";
import { askYoutube, type Question, type YoutubeDeps } from "./ask-youtube.js";

/** YouTube has what it states asked for again, or deleted, within 30 days. */
export const TERM_MS = 30 * 24 * 60 * 60_000;
/** YouTube takes as many. */
export const IDS_MAX = 50;

interface IdsQuestion<T> {
  readonly method: Question["method"];
  readonly parameters: Readonly<Record<string, string>>;
  /** What ids look like: others are not sent. */
  readonly id: RegExp;
  /** Undefined for an item that cannot be read. */
  readonly read: (item: unknown) => T | undefined;
}

/** What YouTube has of the ids; those that were deleted or made private are missing in its answer. Throws as `askYoutube`. */
export async function lookUpIds<T>(
  deps: YoutubeDeps,
  { method, parameters, id, read }: IdsQuestion<T>,
  { ids, signal }: LookUpRequest,
): Promise<{ items: readonly T[]; gone: string[] }> {
  const sent = ids.filter((each) => id.test(each));
  if (sent.length === 0) return { items: [], gone: [] };
  const question = { method, parameters: { ...parameters, id: sent.join(",") } };
  const list = await askYoutube(deps, question, { search: { preview: false }, signal });
  if (!Array.isArray(list?.items)) {
    throw new PlatformError("temporary", "YouTube returns no list of items. It will be retried.");
  }
  const items: readonly unknown[] = list.items;
  const shown = new Set(items.map(idOf));
  // An item without an id may be any of those that seem to be missing.
  const gone = shown.has(undefined) ? [] : sent.filter((each) => !shown.has(each));
  return { items: readEach(items, read).items, gone };
}

function idOf(item: unknown): unknown {
  return typeof item === "object" && item !== null && "id" in item ? item.id : undefined;
}
