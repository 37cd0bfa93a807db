import type { RecheckRecord } from "../../store/records.js";

/**
 * What the owner of a search should know about the comparison of stored postings with their platform; undefined while it
 * keeps to the platform's term.
 */
export function recheckWarning(
  { platform, doneAt, termMs, lastError }: Pick<RecheckRecord, "platform" | "doneAt" | "termMs" | "lastError">,
  now: number,
): string | undefined {
  if (now - doneAt <= termMs) return undefined;
  const since = new Date(doneAt).toISOString();
  const why = lastError ?? "It goes on by itself.";
  return `The stored postings of ${platform} have not all been compared with it since ${since}: some that are gone there may still be here. ${why}`;
}
