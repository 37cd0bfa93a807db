import type { PostingDraft } from "../port/posting-draft.js";
import type { Hashtag } from "./dialect.js";

/** A posting with what a joined hashtag of it says in words, although the matcher could not divide it. */
export function withWords(posting: PostingDraft, { name, words }: Hashtag): PostingDraft {
  const isTagged = posting.tags?.some((tag) => tag.normalize("NFKC").toLowerCase() === name) === true;
  return words !== undefined && isTagged ? { ...posting, matchText: words } : posting;
}
