const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** Polls at a time in one process. */
export const POLLS_CONCURRENT = 16;
/** Interval between checks for due polls. */
export const CHECK_EVERY_MS = SECOND;
/** Due polls that are read at once to share them fairly between companies. */
export const LOOK_AHEAD = 5000;
/** How long a claim lasts without a renewal. */
export const LEASE_MS = MINUTE;
/** First polls of new and resumed searches are spread over this time. */
export const FIRST_SPREAD_MS = SECOND;

/** Pages of one turn of a poll; the next turn continues. */
export const TURN_PAGES_MAX = 20;
/** Pages of one poll; the rest is left out. */
export const POLL_PAGES_MAX = 200;
/** Postings asked for per page. */
export const PAGE_POSTINGS = 100;
/** Newest postings of a preview. */
export const PREVIEW_POSTINGS = 25;
/** A connector that takes longer for a page has failed. */
export const PAGE_MS_MAX = 2 * MINUTE;

/** Attempts at one page, the first one included. */
export const ATTEMPTS_MAX = 5;
export const BACKOFF_BASE_MS = SECOND;
export const BACKOFF_MS_MAX = 5 * MINUTE;
/** Polls that a platform refuses in sequence until its circuit opens. */
export const REFUSALS_MAX = 3;
/** Time without polls after repeated failure. */
export const CIRCUIT_MS = 15 * MINUTE;
/** Searches of one platform that fail in sequence until this process leaves the platform alone. */
export const PLATFORM_FAILURES_MAX = 20;
export const PLATFORM_CIRCUIT_MS = 2 * MINUTE;
/** Time without polls of a platform that rejects the credentials. */
export const AUTH_RECHECK_MS = 60 * MINUTE;
/** A preview does not wait longer for a platform. */
export const PREVIEW_PATIENCE_MS = 5 * MINUTE;

/** Part of a term after which a stored posting is looked up. */
export const RECHECK_AFTER = 0.75;
/** Rounds over the stored postings of a company that begin within one term. */
export const RECHECK_ROUNDS = 8;
/** Part of each budget that look-ups of stored postings may spend. */
export const RECHECK_SHARE = 0.25;
/** Questions of one turn of a round; the next turn continues. */
export const RECHECK_QUESTIONS_MAX = 20;
/** Stored postings that are read for one question. */
export const RECHECK_READ_MAX = 5_000;
/** How long a claim of a round lasts without a renewal: longer than a question may take. */
export const RECHECK_LEASE_MS = 3 * MINUTE;
/** Interval between two looks for companies with new platforms. */
export const RECHECK_SEED_MS = 60 * MINUTE;
