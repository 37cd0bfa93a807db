import { createHash } from "node:crypto";
import type { PlatformName } from "../../store/records.js";
import type { PostingDraft } from "../../platforms/posting-draft.js";

/** 16 bytes: two of 10^12 postings share a digest with a probability of 10^-15. */
const DIGEST_CHARACTERS = 22;

/** Id of the record of a posting; the same posting always has the same id within an insight. */
export function postingIdOf(insightId: number, platform: PlatformName, draft: PostingDraft): string {
  const digest = createHash("sha256").update(identityOf(draft)).digest("base64url");
  return `${insightId}:${platform}:${digest.slice(0, DIGEST_CHARACTERS)}`;
}

/** What identifies a posting on its platform: its id, else its URL, else author, time and text. */
function identityOf({ socialId, socialIdScope, url, author, postedAt, text }: PostingDraft): string {
  if (socialId !== undefined) return JSON.stringify(["id", socialId, ...(socialIdScope ? [socialIdScope] : [])]);
  if (url !== undefined) return JSON.stringify(["url", url]);
  const writer = author?.id ?? author?.username ?? author?.name ?? null;
  return JSON.stringify(["text", writer, postedAt, text ?? null]);
}
