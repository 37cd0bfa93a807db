import { createHash } from "node:crypto";
import { GIVE_OWN_ID, givePlatformOf } from "@hourglass/posting";
import type { Posting } from "@hourglass/proto/insight/v1/posting";
import { PLATFORM } from "@hourglass/posting";
import { AppError, type FieldViolation, LoopPace, VIOLATIONS_MAX } from "@hourglass/runtime";
import { type PostingDraft, searchedTextsOf } from "../../platforms/posting-draft.js";
import { compileQuery } from "../../query/matcher.js";
import { parseQuery } from "../../query/parser.js";
import type { InsightRecord, PlatformName } from "../../store/records.js";
import { fromPosting } from "../messages/from-message.js";
import { postingIdOf } from "../storing/identity.js";
import type { ReceivedImport } from "./read-import.js";

/** Drafts of one platform that are stored in one commit. */
export interface ImportPage {
  platform: PlatformName;
  drafts: PostingDraft[];
}

/** What an import stores; the same request always makes the same plan. */
export interface ImportPlan {
  pages: ImportPage[];
  /** Postings that repeat another one of the request. */
  repeats: number;
  unmatched: number;
  /** Digest of the request, to recognise its repetition; empty for one without a key, which is never recognised. */
  hash: string;
}

/** The id of the posting that a URL shows on a platform; undefined if the URL does not contain it. */
export type SocialIdIn = (platform: PlatformName, url: string) => string | undefined;

interface Item {
  /** Of the posting in the request. */
  index: number;
  platform: PlatformName;
  draft: PostingDraft;
}

/** A multiple of the rows that the embedded store inserts with one statement; more would stop the event loop for longer. */
const PAGE_SIZE = 128;

/**
 * Plans in turns of the event loop, since a request may be large. Throws AppError `invalid` that names every wrong posting
 * by its index in the whole request.
 */
export async function planImport(
  insight: InsightRecord,
  { header, postings }: ReceivedImport,
  socialIdIn: SocialIdIn,
): Promise<ImportPlan> {
  const pace = new LoopPace();
  const items = await readItems(insight, postings, { pace, socialIdIn });
  const wanted = header.match ? await matching(insight, items, pace) : items;
  const distinct = await distinctOf(insight, wanted, pace);
  return {
    pages: pagesOf([...distinct.values()]),
    repeats: wanted.length - distinct.size,
    unmatched: items.length - wanted.length,
    hash: header.idempotencyKey === "" ? "" : await hashOf([insight.id, header.match], items, pace),
  };
}

async function readItems(
  { query: { platforms } }: InsightRecord,
  postings: readonly Posting[],
  { pace, socialIdIn }: { pace: LoopPace; socialIdIn: SocialIdIn },
): Promise<Item[]> {
  const violations: FieldViolation[] = [];
  const allowed = givePlatformOf(platforms);
  const items: Item[] = [];
  for (const [index, posting] of postings.entries()) {
    if (violations.length > VIOLATIONS_MAX) break;
    await pace.step();
    const path = `postings[${index}]`;
    const platform = PLATFORM.nameOf(posting.platform);
    if (!platforms.includes(platform)) violations.push({ field: `${path}.platform`, message: allowed });
    items.push({ index, platform, draft: identified(platform, fromPosting(posting, path, violations), socialIdIn) });
  }
  if (violations.length > 0) throw AppError.invalid(violations);
  return items;
}

/** The last copy of each posting. Throws AppError `invalid` for postings of one identity that are not copies of one. */
async function distinctOf({ id }: InsightRecord, items: readonly Item[], pace: LoopPace): Promise<Map<string, Item>> {
  const distinct = new Map<string, Item>();
  const violations: FieldViolation[] = [];
  for (const item of items) {
    if (violations.length > VIOLATIONS_MAX) break;
    await pace.step();
    const identity = postingIdOf(id, item.platform, item.draft);
    const earlier = distinct.get(identity);
    if (earlier === undefined || isCopy(earlier.draft, item.draft)) distinct.set(identity, item);
    else {
      const field = `postings[${item.index}].${item.draft.socialId === undefined ? "social_url" : "social_id"}`;
      violations.push({ field, message: `postings[${earlier.index}] has the same. ${GIVE_OWN_ID}` });
    }
  }
  if (violations.length > 0) throw AppError.invalid(violations);
  return distinct;
}

/** Copies may differ in what changes with time, such as counts. */
function isCopy(one: PostingDraft, other: PostingDraft): boolean {
  return one.postedAt === other.postedAt && (one.text ?? "") === (other.text ?? "");
}

/** A posting without an id gets the one that its URL contains, so that it is the same as one that was collected. */
function identified(platform: PlatformName, draft: PostingDraft, socialIdIn: SocialIdIn): PostingDraft {
  if (draft.socialId !== undefined || draft.url === undefined) return draft;
  const socialId = socialIdIn(platform, draft.url);
  return socialId === undefined ? draft : { ...draft, socialId };
}

async function matching(
  { query: { keywords } }: InsightRecord,
  items: readonly Item[],
  pace: LoopPace,
): Promise<Item[]> {
  const matcher = compileQuery(parseQuery(keywords));
  const found: Item[] = [];
  for (const item of items) {
    await pace.step();
    if (matcher.match(searchedTextsOf(item.draft)).matches) found.push(item);
  }
  return found;
}

function pagesOf(items: readonly Item[]): ImportPage[] {
  const pages: ImportPage[] = [];
  for (const [platform, same] of byPlatform(items)) {
    for (let start = 0; start < same.length; start += PAGE_SIZE) {
      pages.push({ platform, drafts: same.slice(start, start + PAGE_SIZE) });
    }
  }
  return pages;
}

function byPlatform(items: readonly Item[]): Map<PlatformName, PostingDraft[]> {
  const lines = new Map<PlatformName, PostingDraft[]>();
  for (const { platform, draft } of items) {
    const line = lines.get(platform);
    if (line === undefined) lines.set(platform, [draft]);
    else line.push(draft);
  }
  return lines;
}

/** Fed posting by posting, since a request may be large. */
async function hashOf(head: readonly unknown[], items: readonly Item[], pace: LoopPace): Promise<string> {
  const hash = createHash("sha256").update(JSON.stringify(head));
  for (const { platform, draft } of items) {
    await pace.step();
    hash.update(JSON.stringify([platform, draft]));
  }
  return hash.digest("base64url");
}
