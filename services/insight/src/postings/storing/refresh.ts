import type { Update } from "@hourglass/runtime";
import type { PostingDraft } from "../../platforms/posting-draft.js";
import type { PostingRecord } from "../../store/records.js";

/** A stored posting that is seen more often has its `seenAt` moved only once in this time, in milliseconds. */
const SEEN_EVERY_MS = 60 * 60_000;

/** The change of a stored posting that was seen again. */
export interface Refresh {
  /** Undefined if nothing changed since it was last seen, a moment ago. */
  update: Update<PostingRecord> | undefined;
  /** The new version, if what is analysed has changed. */
  changed: PostingRecord | undefined;
  /** The posting, if what summaries count may have changed. */
  counted: PostingRecord | undefined;
}

const UNCHANGED: Refresh = { update: undefined, changed: undefined, counted: undefined };

/** How a later copy of a posting came here. */
export interface Copied {
  /** In milliseconds since the epoch. */
  readonly at: number;
  /** `lookUp`: the platform was asked for it by its id. */
  readonly by: "poll" | "import" | "lookUp";
}

/**
 * Updates a stored posting from a later copy. The first-seen and posted times stay, and so does what the copy does not
 * state: an absent count is not zero. A concurrent change of the text wins over this one.
 */
export function refresh(known: PostingRecord, draft: PostingDraft, { at, by }: Copied): Refresh {
  const content = by === "lookUp" ? replace(known.content, draft) : merge(known.content, draft);
  const isSame = JSON.stringify(content) === JSON.stringify(known.content);
  if (isSame && !isNews(known, { at, by })) return UNCHANGED;
  const isChanged = !isSame && isAnalysedAnew(known.content, content);
  const set = {
    ...(by === "lookUp" ? { checkedAt: at } : { seenAt: at }),
    ...(by === "poll" && { imported: false }),
    content,
    authorId: content.author?.id ?? null,
    ...(isChanged && { version: known.version + 1, language: content.language ?? null }),
  };
  const update = { filter: { id: known.id, version: known.version }, change: { set } };
  return { update, changed: isChanged ? { ...known, ...set } : undefined, counted: isSame ? undefined : known };
}

/** Whether it is worth a write that a posting is seen again, although nothing of it has changed. */
function isNews({ seenAt, imported }: PostingRecord, { at, by }: Copied): boolean {
  return by === "lookUp" || at - seenAt >= SEEN_EVERY_MS || (by === "poll" && imported === true);
}

/** What a look-up no longer states of these is no longer there, such as a place that was taken off. */
function replace(known: PostingDraft, draft: PostingDraft): PostingDraft {
  const { place: _place, text: _text, media: _media, author, ...kept } = known;
  // Of an author who is still there, a look-up may state less than was found.
  return merge({ ...kept, ...(author && draft.author && { author }) }, draft);
}

function merge(known: PostingDraft, draft: PostingDraft): PostingDraft {
  const { socialId, postedAt } = known;
  return {
    ...known,
    ...draft,
    ...(socialId !== undefined && { socialId }),
    postedAt,
    ...both("place", known, draft),
    ...both("author", known, draft),
    ...both("counts", known, draft),
    ...both("moreInfo", known, draft),
  };
}

/** The fields of one part, the later copy's first. */
function both(part: "place" | "author" | "counts" | "moreInfo", known: PostingDraft, draft: PostingDraft): object {
  if (known[part] === undefined && draft[part] === undefined) return {};
  return { [part]: { ...known[part], ...draft[part] } };
}

function isAnalysedAnew(known: PostingDraft, { text = "", media = [] }: PostingDraft): boolean {
  return text !== (known.text ?? "") || JSON.stringify(media) !== JSON.stringify(known.media ?? []);
}
