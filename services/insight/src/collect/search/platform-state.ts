import type { SearchRecord, SearchStatus } from "../../store/records.js";

/** A search as its owner sees it. */
export type ShownState = Pick<
  SearchRecord,
  "platform" | "status" | "nextAt" | "lastSuccessAt" | "lastError" | "counts" | "warnings"
>;

/** The state of a search to show: a poll that is due or running counts as collecting. */
export function shownState(search: SearchRecord, now: number): ShownState {
  const { platform, nextAt, lastSuccessAt, lastError, counts, warnings } = search;
  return { platform, status: shownStatus(search, now), nextAt, lastSuccessAt, lastError, counts, warnings };
}

function shownStatus({ status, nextAt }: SearchRecord, now: number): SearchStatus {
  if (status === "waiting" && nextAt !== null && nextAt <= now) return "collecting";
  // An unfinished poll of a paused search waits.
  return status === "collecting" && nextAt === null ? "waiting" : status;
}
