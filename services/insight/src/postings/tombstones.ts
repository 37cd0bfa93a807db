import { createHmac } from "node:crypto";
import { SharedKey } from "@hourglass/runtime";
import type { Collections } from "../store/collections.js";
import type { PlatformName } from "../store/records.js";
import type { PostingDraft } from "../platforms/posting-draft.js";

/** A posting, or all postings of an author, on one platform within one company. */
export interface Erased {
  companyId: number;
  platform: PlatformName;
  by: "social_id" | "author_id";
  value: string;
}

/** What is left of erased postings and authors, so that they are not stored again. */
export class Tombstones {
  private readonly key: SharedKey;

  constructor(private readonly collections: Collections) {
    this.key = new SharedKey(collections.tombstoneKeys, "tombstones");
  }

  /** Id of the tombstone for what was erased. */
  async idOf(erased: Erased): Promise<string> {
    return digest(await this.key.read(), erased);
  }

  /** Of the drafts, those that were erased. */
  async findErased(
    drafts: readonly PostingDraft[],
    of: Pick<Erased, "companyId" | "platform">,
  ): Promise<Set<PostingDraft>> {
    // Most companies never erase anything, and digests take time.
    if ((await this.collections.tombstones.find({}, { limit: 1 })).length === 0) return new Set();
    const key = await this.key.read();
    const candidates = drafts.flatMap((draft) =>
      erasuresOf(draft).map((erasure) => [draft, digest(key, { ...of, ...erasure })] as const),
    );
    const ids = candidates.map(([, id]) => id);
    const found = await this.collections.tombstones.find({ id: { in: [...new Set(ids)] } });
    const erased = new Set(found.map(({ id }) => id));
    return new Set(candidates.filter(([, id]) => erased.has(id)).map(([draft]) => draft));
  }
}

/** The erasures that would include the draft. */
function erasuresOf({ socialId, author }: PostingDraft): Pick<Erased, "by" | "value">[] {
  return [
    ...(socialId === undefined ? [] : [{ by: "social_id", value: socialId } as const]),
    ...(author?.id === undefined ? [] : [{ by: "author_id", value: author.id } as const]),
  ];
}

function digest(key: string, { companyId, platform, by, value }: Erased): string {
  const named = JSON.stringify([companyId, platform, by, value]);
  return createHmac("sha256", key).update(named).digest("base64url");
}
