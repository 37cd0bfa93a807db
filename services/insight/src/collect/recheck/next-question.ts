import type { PostingDraft } from "../../platforms/posting-draft.js";
import type { Rechecks } from "../../platforms/connector.js";
import type { Collections } from "../../store/collections.js";
import { lastKnownAt, type PostingRecord, type RecheckRecord, type RecheckRound } from "../../store/records.js";
import { RECHECK_AFTER, RECHECK_READ_MAX } from "../pace/policy.js";

/** Postings that are asked for together. */
export interface Question {
  /** What is stored, by id on the platform; nothing: nothing of what was read is due. */
  readonly stored: ReadonlyMap<string, PostingDraft>;
  /** Where the next question goes on. */
  readonly after: RecheckRound["after"];
  /** Whether no posting is left. */
  readonly isLast: boolean;
}

/** What a question must know of a platform. */
type AskedRechecks = Pick<Rechecks, "idsMax" | "termMs" | "canJoin">;

/** Postings read at once. */
const READ_AT_ONCE = 200;

/**
 * Reads on in the order of the ids on the platform, in which the copies of a posting in several searches stand together,
 * until enough postings are due for one question. An index on the time of the last look would cost every refresh; a round
 * reads each posting once.
 */
export async function nextQuestion(
  { postings }: Pick<Collections, "postings">,
  { companyId, platform, after }: Pick<RecheckRecord, "companyId" | "platform"> & Pick<RecheckRound, "after">,
  { rechecks, now }: { rechecks: AskedRechecks; now: number },
): Promise<Question> {
  const stored = new Map<string, PostingDraft>();
  const filter = { companyId, platform, socialId: { gt: "" } } as const;
  let last = after;
  for (let read = 0; read < RECHECK_READ_MAX; read += READ_AT_ONCE) {
    const options = { sort: [["socialId", 1]] as const, limit: READ_AT_ONCE, ...(last !== null && { after: last }) };
    const found = await postings.find(filter, options);
    for (const posting of found) {
      const socialId = posting.socialId ?? "";
      if (isDue(posting, rechecks, now) && !stored.has(socialId)) {
        if (!hasRoom([...stored.keys()], socialId, rechecks)) return { stored, after: last, isLast: false };
        stored.set(socialId, posting.content);
      }
      last = { socialId, id: posting.id };
    }
    if (found.length < READ_AT_ONCE) return { stored, after: last, isLast: true };
  }
  return { stored, after: last, isLast: false };
}

function hasRoom(ids: readonly string[], id: string, rechecks: AskedRechecks): boolean {
  return ids.length === 0 || (ids.length < rechecks.idsMax && (rechecks.canJoin?.(id, ids) ?? true));
}

/** What was brought in is under the terms of where it came from. */
function isDue(posting: PostingRecord, { termMs }: Pick<Rechecks, "termMs">, now: number): boolean {
  if (posting.imported === true) return false;
  return now - lastKnownAt(posting) >= RECHECK_AFTER * termMs(now - posting.postedAt);
}
