import { startOfPoll } from "../../coverage.js";
import type { Connector } from "../../platforms/connector.js";
import type { Poll, SearchRecord } from "../../store/records.js";

/** The poll that a turn works on, and when a poll last filled a gap. */
export interface Begun {
  poll: Poll;
  fillTriedAt: number | null;
}

/** Continues the poll of an earlier turn if that has stored pages, otherwise begins one. */
export function beginPoll(search: SearchRecord, connector: Connector, now: number): Begun {
  const { poll, fillTriedAt } = search;
  if (poll !== null && poll.pages > 0) return { poll, fillTriedAt };
  const { fillTriedAt: triedAt, ...start } = startOfPoll(search, connector, now);
  const begun = { startedAt: now, ...start, page: null, pages: 0, stored: 0, gaps: [] };
  return { poll: { ...begun, failures: poll?.failures ?? 0 }, fillTriedAt: triedAt };
}
