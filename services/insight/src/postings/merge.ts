import { createHash } from "node:crypto";
import { canonicalUrl, countryCodeOf, languageCodeOf } from "@hourglass/posting";
import type { Update } from "@hourglass/runtime";
import type { PlaceDraft, PostingDraft } from "../platforms/posting-draft.js";
import { mentionsIn, tagsIn } from "../platforms/text.js";
import type { OwnNotes, PlatformName, PostingRecord } from "../store/records.js";

/** 16 bytes: two of 10^12 postings share a digest with a probability of 10^-15. */
const DIGEST_CHARACTERS = 22;

/** Id of the record of a posting; the same posting always has the same id within an insight. */
export function postingIdOf(insightId: number, platform: PlatformName, draft: PostingDraft): string {
  const digest = createHash("sha256").update(identityOf(draft)).digest("base64url");
  return `${insightId}:${platform}:${digest.slice(0, DIGEST_CHARACTERS)}`;
}

/** The public key of a posting, which names it within its insight: its id without the insight, safe in URLs. */
export function postingKeyOf({ id, insightId }: Pick<PostingRecord, "id" | "insightId">): string {
  return id.slice(`${insightId}:`.length).replace(":", "-");
}

const KEY = new RegExp(`^([a-z-]+)-([\\w-]{${DIGEST_CHARACTERS}})$`);

/** The id of the posting that a key names within an insight; undefined for what is no key. */
export function postingIdOfKey(insightId: number, key: string): string | undefined {
  const [, platform, digest] = KEY.exec(key) ?? [];
  return platform === undefined ? undefined : `${insightId}:${platform}:${digest}`;
}

/** What identifies a posting on its platform: its id, else its URL, else author, time and text. */
function identityOf({ socialId, socialIdScope, url, author, postedAt, text }: PostingDraft): string {
  if (socialId !== undefined) return JSON.stringify(["id", socialId, ...(socialIdScope ? [socialIdScope] : [])]);
  if (url !== undefined) return JSON.stringify(["url", canonicalUrl(url)]);
  const writer = author?.id ?? author?.username ?? author?.name ?? null;
  return JSON.stringify(["text", writer, postedAt, text ?? null]);
}

/** Stored characters of a text, in code points. */
export const TEXT_CHARACTERS_MAX = 100_000;
/** Platforms have their own clocks, and some state a day only. */
const FUTURE_MS = 24 * 60 * 60_000;

/**
 * The posting as it is stored: the text cut to its greatest length, tags and mentions taken from the text if the
 * platform states none, codes of language and country in one spelling, and without the text that is only matched. What
 * was changed stands in `moreInfo`.
 */
export function prepareDraft({ matchText: _matched, ...given }: PostingDraft, now: number): PostingDraft {
  const draft = withCodes(given);
  const text = cut(draft.text);
  const notes: OwnNotes = {
    ...(text !== draft.text && { text_cut_at: TEXT_CHARACTERS_MAX }),
    ...(draft.postedAt > now + FUTURE_MS && { posted_in_the_future: true }),
  };
  const tags = draft.tags?.length ? draft.tags : tagsIn(text);
  const taggedUsers = draft.taggedUsers?.length ? draft.taggedUsers : mentionsIn(text);
  return {
    ...draft,
    ...(text !== undefined && { text }),
    ...(tags.length > 0 && { tags }),
    ...(taggedUsers.length > 0 && { taggedUsers }),
    ...(Object.keys(notes).length > 0 && { moreInfo: { ...draft.moreInfo, ...notes } }),
  };
}

/** What names no language or country is not stated; the language of a text is found when it is analyzed. */
function withCodes({ language, place, ...draft }: PostingDraft): PostingDraft {
  const code = language === undefined ? undefined : languageCodeOf(language);
  return {
    ...draft,
    ...(code !== undefined && { language: code }),
    ...(place !== undefined && { place: withCountryCode(place) }),
  };
}

function withCountryCode({ countryCode, ...place }: PlaceDraft): PlaceDraft {
  const code = countryCode === undefined ? undefined : countryCodeOf(countryCode);
  return { ...place, ...(code !== undefined && { countryCode: code }) };
}

function cut(text: string | undefined): string | undefined {
  return text === undefined ? undefined : firstCharacters(text, TEXT_CHARACTERS_MAX);
}

/** The first code points of a text. */
export function firstCharacters(text: string, count: number): string {
  // Few texts are that long; a text has at most as many code points as code units.
  return text.length <= count
    ? text
    : Array.from(text.slice(0, 2 * count))
        .slice(0, count)
        .join("");
}

/** A stored posting that is seen more often has its `seenAt` moved only once in this time, in milliseconds. */
const SEEN_EVERY_MS = 60 * 60_000;

/** The change of a stored posting that was seen again. */
export interface Refresh {
  /** Undefined if nothing changed since it was last seen, a moment ago. */
  update: Update<PostingRecord> | undefined;
  /** The new version, if what is analyzed has changed. */
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
  const isChanged = !isSame && changesAnalysis(known.content, content);
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

function changesAnalysis(known: PostingDraft, { text = "", media = [] }: PostingDraft): boolean {
  return text !== (known.text ?? "") || JSON.stringify(media) !== JSON.stringify(known.media ?? []);
}
