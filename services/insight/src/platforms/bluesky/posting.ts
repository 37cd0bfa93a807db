import type { Json } from "@hourglass/runtime";
import { foldName } from "@hourglass/runtime/text";
import type { SearchedTexts } from "../../query/matcher.js";
import { type PostingDraft, searchedTextsOf } from "../posting-draft.js";
import { defined } from "../schemas.js";
import { mentionsIn, tagsIn } from "../text.js";
import { addressOf, type BlueskyPost, type BlueskyRecord, readEvent } from "./api.js";

const APP = "https://bsky.app";
const PICTURES = "https://cdn.bsky.app/img/feed_fullsize/plain";
const MICRO = 1000;

/** A post as a posting; what the record does not state is absent. Names and counts are not in it. */
export function toPosting(post: BlueskyPost): PostingDraft {
  const { did, rkey, record } = post;
  const { text, langs = [] } = record;
  const [tags, users] = [tagsOf(record), mentionsIn(text)];
  const files = imagesOf(record).flatMap(({ image }) => image?.ref?.$link ?? []);
  return {
    socialId: addressOf(did, rkey),
    url: `${APP}/profile/${did}/post/${encodeURIComponent(rkey)}`,
    postedAt: timeOf(post),
    type: typeOf(record),
    ...defined({ text, language: langs[0] }),
    ...(users.length > 0 && { taggedUsers: users }),
    ...(tags.length > 0 && { tags }),
    author: { id: did, type: "user" },
    ...(files.length > 0 && { media: files.map((file) => `${PICTURES}/${did}/${file}@jpeg`) }),
    moreInfo: moreInfoOf(record, langs),
  };
}

/** Authors state the time; nobody posts after the network has learned of it. */
function timeOf({ record: { createdAt = "" }, time }: BlueskyPost): number {
  const learned = Math.floor(time / MICRO);
  const stated = Date.parse(createdAt);
  return Number.isFinite(stated) && stated >= 0 ? Math.min(stated, learned) : learned;
}

function typeOf({ reply, embed }: BlueskyRecord): string {
  if (reply !== undefined) return "reply";
  return embed?.record === undefined ? "post" : "quote";
}

/** Tags stand in the text, as marks on it, or in their own list. */
function tagsOf({ text, tags = [], facets = [] }: BlueskyRecord): string[] {
  const marked = facets.flatMap(({ features = [] }) => features.flatMap(({ tag }) => tag ?? []));
  const all = [...tags, ...marked, ...tagsIn(text)];
  return [...new Map(all.toReversed().map((tag) => [foldName(tag), tag])).values()].toReversed();
}

function imagesOf({ embed }: BlueskyRecord) {
  return [...(embed?.images ?? []), ...(embed?.media?.images ?? [])];
}

function moreInfoOf(record: BlueskyRecord, langs: readonly string[]): Record<string, Json> {
  const { reply, demo } = record;
  const card = cardOf(record);
  const links = linksOf(record);
  const descriptions = imagesOf(record).flatMap(({ alt = "" }) => (alt === "" ? [] : [alt]));
  return {
    ...defined({ parent: reply?.parent?.uri, root: reply?.root?.uri, link_title: card?.title }),
    ...(langs.length > 1 && { languages: [...langs] }),
    ...(links.length > 0 && { links }),
    ...(descriptions.length > 0 && { media_descriptions: descriptions }),
    ...defined({ demo }),
  };
}

/** The preview of a page that a post links to. */
function cardOf({ embed }: BlueskyRecord) {
  return embed?.external ?? embed?.media?.external;
}

/** The text shows addresses cut short; its marks state them whole. */
function linksOf(record: BlueskyRecord): string[] {
  const marked = (record.facets ?? []).flatMap(({ features = [] }) => features.flatMap(({ uri }) => uri ?? []));
  return [...new Set([...marked, ...[cardOf(record)?.uri ?? []].flat()])];
}

/** What of a frame of the stream is searched; undefined if it is no post. For benchmarks: a reading does the same. */
export function readStreamFrame(frame: string): SearchedTexts | undefined {
  const event = readEvent(frame);
  return event?.kind === "post" ? searchedTextsOf(toPosting(event)) : undefined;
}
