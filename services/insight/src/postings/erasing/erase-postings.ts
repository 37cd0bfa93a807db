import type { ErasePostingsRequest } from "@hourglass/proto/insight/v1/insight_service";
import { PLATFORM } from "@hourglass/posting";
import { failpoint } from "@hourglass/runtime";
import type { PostingErasure } from "../../store/records.js";
import { ABANDONED_MS, beginErasures, erase, type EraseDeps } from "./erase.js";

/**
 * Erases a posting, or all postings of an author, from all searches of the company, and has later polls and imports skip
 * them. Once it has returned, no write that began earlier brings them back. Returns the number of postings.
 */
export type ErasePostings = (
  request: ErasePostingsRequest,
  companyId: number,
  /** Who asked for it, for the log; undefined for a service. */
  userId?: number,
) => Promise<{ deleted: bigint }>;

export function createErasePostings(deps: EraseDeps): ErasePostings {
  return async ({ platform, socialId, authorId }, companyId, userId) => {
    const erasure: PostingErasure = {
      id: await deps.store.nextId("posting_erasures"),
      companyId,
      platform: PLATFORM.nameOf(platform),
      ...(socialId === "" ? { by: "author_id", value: authorId } : { by: "social_id", value: socialId }),
      dueAt: deps.now() + ABANDONED_MS,
    };
    const [tombstone] = await beginErasures(deps, [erasure]);
    const about = { erasure: erasure.id, companyId, platform: erasure.platform, by: erasure.by };
    deps.log.info({ ...about, userId, tombstone }, "an erasure has begun");
    failpoint("insight.after_tombstone");
    const deleted = await erase(deps, companyId, [erasure]);
    deps.log.info({ ...about, deleted }, "postings were erased");
    return { deleted: BigInt(deleted) };
  };
}

/** Ends an erasure whose process has died. */
export async function endErasure(
  deps: Pick<EraseDeps, "store" | "collections" | "log" | "now">,
  erasure: PostingErasure,
): Promise<void> {
  const { id, companyId, platform, by } = erasure;
  const deleted = await erase(deps, companyId, [erasure]);
  deps.log.info({ erasure: id, companyId, platform, by, deleted }, "postings were erased");
}
