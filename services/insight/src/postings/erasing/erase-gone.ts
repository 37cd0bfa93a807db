import type { PlatformName, PostingErasure } from "../../store/records.js";
import { ABANDONED_MS, beginErasures, erase, type EraseDeps } from "./erase.js";

/** Postings of a company that their platform no longer shows. */
export interface Gone {
  readonly companyId: number;
  readonly platform: PlatformName;
  readonly socialIds: readonly string[];
}

/**
 * Erases those of the postings that are stored, from all searches of the company and from its exports, and has later polls
 * skip them. May be repeated. Returns the number of postings.
 */
export type EraseGone = (gone: Gone) => Promise<number>;

/** Ids of one erasure. */
const IDS_MAX = 100;

export function createEraseGone(deps: EraseDeps): EraseGone {
  return async ({ companyId, platform, socialIds }) => {
    const distinct = [...new Set(socialIds)];
    let deleted = 0;
    for (let start = 0; start < distinct.length; start += IDS_MAX) {
      const ids = distinct.slice(start, start + IDS_MAX);
      deleted += await eraseStored(deps, { companyId, platform, socialIds: ids });
    }
    if (deleted > 0) deps.log.info({ companyId, platform, deleted }, "postings that are gone upstream were erased");
    return deleted;
  };
}

async function eraseStored(deps: EraseDeps, { companyId, platform, socialIds }: Gone): Promise<number> {
  const { postings } = deps.collections;
  const stored = await postings.find({ companyId, platform, socialId: { in: socialIds } });
  const values = [...new Set(stored.flatMap(({ socialId }) => socialId ?? []))];
  if (values.length === 0) return 0;
  const erasures = await Promise.all(values.map((value) => erasureOf(deps, { companyId, platform, value })));
  await beginErasures(deps, erasures);
  return erase(deps, companyId, erasures);
}

async function erasureOf(
  { store, now }: Pick<EraseDeps, "store" | "now">,
  of: Pick<PostingErasure, "companyId" | "platform" | "value">,
): Promise<PostingErasure> {
  const id = await store.nextId("posting_erasures");
  return { id, ...of, by: "social_id", dueAt: now() + ABANDONED_MS };
}
