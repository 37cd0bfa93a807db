import type { HttpFailure } from "@hourglass/runtime";
import type { NoFeedReason } from "../feed/parse-feed.js";
import type { FeedProblem } from "../store/feed-record.js";

const WHY_NO_FEED: Readonly<Record<NoFeedReason, string>> = {
  html: "It is a web page, not a feed. Give the address of the feed itself.",
  empty: "Its document is empty. Check the address.",
  unknown: "It is neither RSS nor Atom nor JSON Feed. Give the address of a feed.",
  broken: "Its document is broken and cannot be read. Tell its publisher, or give another feed.",
  exhausting: "Its document takes too much time or memory to read. Give another feed.",
};

/** The document is no feed. */
export function problemOfDocument(reason: NoFeedReason): FeedProblem {
  return { kind: "refused", message: WHY_NO_FEED[reason] };
}

/** The document is larger than is read. */
export function tooLarge(bytesMax: number): FeedProblem {
  return { kind: "refused", message: `It is larger than ${bytesMax} bytes. Give a shorter feed.` };
}

/** The server answered with another status than 200 and 304. */
export function problemOfStatus(status: number): FeedProblem {
  if (status === 410)
    return { kind: "gone", message: "It has ended (410), as its server says. It is tried once a week." };
  if (status === 404) return { kind: "refused", message: "There is no such feed (404). Check the address." };
  if (status === 401 || status === 403) {
    return {
      kind: "refused",
      message: `Its server refuses to give it out (${status}). Give a feed that anyone may read.`,
    };
  }
  if (status === 429) return { kind: "busy", message: "Its server asks to be asked less often (429)." };
  if (status >= 500 || status === 408 || status === 425) {
    return { kind: "temporary", message: `Its server fails (${status}). It will be retried.` };
  }
  return { kind: "refused", message: `Its server answers with status ${status} instead of a feed. Check the address.` };
}

/** There was no answer. */
export function problemOfFailure(failure: HttpFailure): FeedProblem {
  // A host that is unknown or not trustworthy today may be repaired, but not soon.
  return { kind: failure.permanent ? "refused" : "temporary", message: failure.message };
}
