import type { GraphError } from "../meta/graph/graph-error.js";
import { SourceError } from "../sources.js";

const DAY_MS = 24 * 60 * 60_000;
const HASHTAG_LIMIT = 2_207_034;
const HASHTAG_UNKNOWN = 2_207_024;

/** What codes mean on Instagram, where it differs from the Graph API. */
export function ownFailure({ code, subcode }: GraphError, detail: string, now: number): SourceError | undefined {
  if (code === 18 || subcode === HASHTAG_LIMIT) {
    const retryAt = now + DAY_MS;
    const message =
      `Instagram has counted its 30 different hashtags of seven days (${code}), also those of other programs that use the account: ` +
      `lower INSTAGRAM_HASHTAGS_PER_WEEK. It will be retried at ${new Date(retryAt).toISOString()}.${detail}`;
    return new SourceError("budget", message, { retryAt, requests: 1 });
  }
  if (code === 24 || subcode === HASHTAG_UNKNOWN) {
    return new SourceError("permanent", `Instagram has no such hashtag, or blocks it (${code}).${detail}`);
  }
  if (code === 110) {
    const message = `Instagram does not know it, or it is no professional account (${code}).${detail}`;
    return new SourceError("permanent", message);
  }
  return undefined;
}
