import { createHash } from "node:crypto";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { canonicalUrl, GIVE_OWN_ID, givePlatformOf, PLATFORM } from "@hourglass/posting";
import type { ImportHeader, ImportPostingsRequest } from "@hourglass/proto/insight/v1/insight_service";
import type { Posting } from "@hourglass/proto/insight/v1/posting";
import {
  AppError,
  failpoint,
  type FieldViolation,
  findByIdempotency,
  giveAtMost,
  IDEMPOTENCY_TTL_MS,
  idempotencyOf,
  keyReused,
  LoopPace,
  type Step,
  type Store,
  updateEachStep,
  updateStep,
  VIOLATIONS_MAX,
  winnerOf,
} from "@hourglass/runtime";
import { withStated } from "../coverage.js";
import { type PostingDraft, searchedTextsOf } from "../platforms/posting-draft.js";
import { compileQuery } from "../query/matcher.js";
import { parseQuery } from "../query/parser.js";
import { type Collections, findInsight } from "../store/collections.js";
import {
  type InsightRecord,
  type PlatformName,
  type PostingImport,
  type PostingRecord,
  searchId,
  type SearchRecord,
  type TimeRange,
} from "../store/records.js";
import { postingIdOf } from "./merge.js";
import { fromPosting, type PostingInit, toPosting } from "./posting-message.js";
import type { PreviewPage, StoreOutcome, StorePostings, StoreRequest } from "./store.js";

/** What became of the postings of an import; the sum is their number. */
export interface ImportOutcome {
  accepted: number;
  duplicates: number;
  unmatched: number;
  erased: number;
  /** Present if an earlier request with the same key had stored all of it. */
  replayed?: true;
  /** Only of an import that was validated: the first postings as they would be stored. */
  first?: PostingInit[];
  /** Only of an import that was validated: postings that would be left out, by their index, with the reason. */
  leftOut?: LeftOut[];
}

interface LeftOut {
  index: number;
  reason: string;
}

/** Pages stored so far, and what became of their postings. */
type Progress = Pick<PostingImport, "pages" | "accepted" | "known" | "erased">;

const NOTHING: Progress = { pages: 0, accepted: 0, known: 0, erased: 0 };

export interface ImportOptions {
  store: Store;
  collections: Collections;
  storePostings: StorePostings;
  previewPage: PreviewPage;
  socialIdIn: SocialIdIn;
  now: () => number;
}

/** Postings that callers provide. */
export class PostingImports {
  constructor(private readonly options: ImportOptions) {}

  /**
   * Stores the postings of a stream of requests, or tells what it would store. All of them are checked before the first
   * one is stored, and `announce` is called before that. Throws AppError `not-found`, and `invalid` for wrong postings and
   * for a search that is not running.
   */
  async import(
    requests: AsyncIterable<ImportPostingsRequest>,
    companyId: number,
    announce: (insight: InsightRecord) => Promise<void> = () => Promise.resolve(),
  ): Promise<ImportOutcome> {
    const { header, insight, plan, stated } = await this.receive(requests, companyId);
    if (header.validateOnly) return this.preview(insight, plan);
    await announce(insight);
    const opened = await this.open({ insight, key: header.idempotencyKey, hash: plan.hash });
    const progress = await this.storePages({ insight, plan, keyed: opened?.record });
    if (stated !== undefined) for (const platform of plan.platforms) await this.state(insight.id, platform, stated);
    return {
      accepted: progress.accepted,
      duplicates: progress.known + plan.repeats,
      unmatched: plan.unmatched.length,
      erased: progress.erased,
      ...(opened?.isEarlier === true && opened.record.pages === plan.pages.length && { replayed: true }),
    };
  }

  /** Tells what `import` would store, whatever the header says of it; throws as it does. */
  async validate(requests: AsyncIterable<ImportPostingsRequest>, companyId: number): Promise<ImportOutcome> {
    const { insight, plan } = await this.receive(requests, companyId);
    return this.preview(insight, plan);
  }

  private async receive(requests: AsyncIterable<ImportPostingsRequest>, companyId: number): Promise<PlannedImport> {
    const { insights } = this.options.collections;
    const received = await readImport(requests, async ({ id }) => {
      await findInsight(insights, Number(id), companyId);
    });
    const { header } = received;
    const stated = statedBy(header, this.options.now());
    const insight = await findInsight(insights, Number(header.id), companyId);
    return { header, insight, stated, plan: await planImport(insight, received, this.options.socialIdIn) };
  }

  /** What storing the postings would do. */
  private async preview(insight: InsightRecord, plan: ImportPlan): Promise<ImportOutcome> {
    let progress = NOTHING;
    const stored = new Map<string, PostingRecord>();
    const erased = new Set<string>();
    mustRun(insight);
    for (const page of plan.pages) {
      const found = await this.options.previewPage(requestFor(insight, page));
      if (found === undefined) throw insightChanged();
      progress = after(progress, found.outcome);
      for (const [id, posting] of found.postings) stored.set(id, posting);
      for (const id of found.erased) erased.add(id);
    }
    const named = [...plan.distinct].flatMap(([id, { index }]) => (erased.has(id) ? [{ index, reason: ERASED }] : []));
    const unmatched = plan.unmatched.map(({ index }) => ({ index, reason: UNMATCHED }));
    const first = [...plan.distinct.keys()].flatMap((id) => (erased.has(id) ? [] : (stored.get(id) ?? [])));
    return {
      accepted: progress.accepted,
      duplicates: progress.known + plan.repeats,
      unmatched: plan.unmatched.length,
      erased: progress.erased,
      first: first.slice(0, FIRST_MAX).map((posting) => toPosting(posting, insight)),
      leftOut: [...named, ...unmatched].sort((one, other) => one.index - other.index).slice(0, LEFT_OUT_MAX),
    };
  }

  /** Notes that all of a platform in a span of time is stored. */
  private async state(insightId: number, platform: PlatformName, span: TimeRange): Promise<void> {
    const { store, collections } = this.options;
    for (;;) {
      const search = await collections.searches.get(searchId(insightId, platform));
      if (search === undefined) return;
      const { id, stated = [], statements = null } = search;
      const change = { set: { stated: withStated(stated, span) }, increment: { statements: 1 } };
      const { done } = await store.commit([updateStep(collections.searches, { id, statements }, change)]);
      if (done) return;
    }
  }

  /**
   * The record of the import that the key stands for, created if there is none; undefined without a key. Throws AppError
   * `invalid` if the key was used for another request.
   */
  private async open({ insight, key, hash }: ImportKey): Promise<OpenedImport | undefined> {
    const { collections, now } = this.options;
    const idempotency = idempotencyOf(insight.companyId, key);
    if (idempotency === undefined) return undefined;
    const find = () => findByIdempotency(collections.imports, idempotency, now());
    const opened = await this.findOrCreate({ insight, hash, idempotency }, find);
    if (opened.record.requestHash === hash) return opened;
    throw keyReused("header.idempotency_key");
  }

  private async findOrCreate(wanted: NewImport, find: () => Promise<PostingImport | undefined>): Promise<OpenedImport> {
    const earlier = await find();
    if (earlier !== undefined) return { record: earlier, isEarlier: true };
    try {
      return { record: await this.create(wanted), isEarlier: false };
    } catch (error) {
      return { record: await winnerOf(error, find), isEarlier: true };
    }
  }

  private async create({ insight, hash, idempotency }: NewImport): Promise<PostingImport> {
    const { store, collections, now } = this.options;
    const createdAt = now();
    const record = {
      id: await store.nextId("posting_imports"),
      companyId: insight.companyId,
      insightId: insight.id,
      createdAt,
      idempotency,
      requestHash: hash,
      ...NOTHING,
      dueAt: createdAt + IDEMPOTENCY_TTL_MS,
    };
    await collections.imports.insert(record);
    return record;
  }

  /** Stores the pages that are left. Requests with the same key share the work: each page is stored by one of them. */
  private async storePages(opened: Import): Promise<Progress> {
    const { imports, insights } = this.options.collections;
    const { insight, plan, keyed } = opened;
    let progress: Progress = keyed ?? NOTHING;
    let current = insight;
    if (progress.pages < plan.pages.length) mustRun(current);
    while (progress.pages < plan.pages.length) {
      const stored = await this.storePage({ ...opened, insight: current }, progress);
      failpoint("insight.after_import_page");
      if (stored !== undefined) progress = after(progress, stored);
      else {
        // Either another request with the key was faster, or the search was paused or deleted.
        if (keyed !== undefined) progress = (await imports.get(keyed.id)) ?? progress;
        current = await findInsight(insights, insight.id, insight.companyId);
        mustRun(current);
      }
    }
    return progress;
  }

  private async storePage({ insight, plan, keyed }: Import, progress: Progress): Promise<StoreOutcome | undefined> {
    const { collections, storePostings } = this.options;
    const page = plan.pages[progress.pages];
    if (page === undefined) return undefined;
    return storePostings({
      ...requestFor(insight, page),
      alongside: (outcome) => [
        showImport(collections, insight.id, page.platform),
        ...(keyed === undefined ? [] : [moveAhead(collections, keyed, { from: progress, outcome })]),
      ],
    });
  }
}

function requestFor({ id, companyId, epoch, query }: InsightRecord, { platform, drafts }: ImportPage): StoreRequest {
  return { insight: { id, companyId, epoch }, platform, drafts, preview: query.sneakPeek, imported: true };
}

/** The postings that a validation shows, and those of which it says why they would be left out. */
const FIRST_MAX = 10;
const LEFT_OUT_MAX = 1000;
const ERASED = "It was erased.";
const UNMATCHED = "It does not match the keywords.";

function insightChanged(): AppError {
  return new AppError("unavailable", "The search was changed meanwhile. Try again.");
}

/** The span that an import states to be complete; undefined if it states none. Throws AppError `invalid`. */
function statedBy({ completeFrom, completeTo }: ImportHeader, now: number): TimeRange | undefined {
  if (completeFrom === undefined || completeTo === undefined) return undefined;
  const to = timestampMs(completeTo);
  if (to <= now) return { from: timestampMs(completeFrom), to };
  throw AppError.invalid([{ field: "header.complete_to", message: "Give a moment that has passed." }]);
}

/** An import that was received and is right. */
interface PlannedImport {
  header: ImportHeader;
  insight: InsightRecord;
  /** The span that it states to be complete. */
  stated: TimeRange | undefined;
  plan: ImportPlan;
}

interface ImportKey {
  insight: InsightRecord;
  /** Empty without one. */
  key: string;
  /** Digest of the request. */
  hash: string;
}

interface NewImport {
  insight: InsightRecord;
  hash: string;
  idempotency: string;
}

/** The record of an import with a key, as it was found or made. */
interface OpenedImport {
  record: PostingImport;
  /** Whether an earlier request with the key has made it. */
  isEarlier: boolean;
}

interface Import {
  insight: InsightRecord;
  plan: ImportPlan;
  /** Undefined without a key. */
  keyed: PostingImport | undefined;
}

function after(progress: Progress, { stored, duplicates, erased }: StoreOutcome): Progress {
  return {
    pages: progress.pages + 1,
    accepted: progress.accepted + stored,
    known: progress.known + duplicates,
    erased: progress.erased + erased,
  };
}

function moveAhead(
  { imports }: Collections,
  { id }: PostingImport,
  { from, outcome }: { from: Progress; outcome: StoreOutcome },
): Step {
  return updateStep<PostingImport>(imports, { id, pages: from.pages }, { set: after(from, outcome) });
}

/** A platform without a connector is no longer idle once postings are imported for it. */
function showImport({ searches }: Collections, insightId: number, platform: PlatformName): Step {
  const filter = { id: searchId(insightId, platform), status: "not_configured" as const };
  return updateEachStep<SearchRecord>(searches, [{ filter, change: { set: { status: "importing" } } }]);
}

function mustRun({ status }: InsightRecord): void {
  if (status === "running") return;
  const [message, code] =
    status === "paused"
      ? ["This search is paused. Resume it, then import again.", "insight_paused" as const]
      : [`This preview has ended (${status}). Create another search instead.`, "insight_ended" as const];
  throw new AppError("invalid", message, { code });
}

/** An import as it was received. */
interface ReceivedImport {
  header: ImportHeader;
  postings: Posting[];
}

const POSTINGS_MAX = 10_000;
/** Characters of the texts of all postings, which are held until the last one has arrived. */
const CHARACTERS_MAX = 32 * 1024 * 1024;

/**
 * Receives an import to its end; `onHeader` may refuse it before the postings arrive. Throws AppError `invalid` for a
 * stream in the wrong order or with too many postings, `too-large`, and `cancelled` for one that ends early.
 */
async function readImport(
  requests: AsyncIterable<ImportPostingsRequest>,
  onHeader: (header: ImportHeader) => Promise<void>,
): Promise<ReceivedImport> {
  let header: ImportHeader | undefined;
  const postings: Posting[] = [];
  let characters = 0;
  let isWhole = false;
  for await (const { part, last } of requests) {
    if (part.case === "header") {
      header = onlyOnce(header, part.value);
      await onHeader(header);
    } else if (part.case === "slice" && header !== undefined) {
      characters += part.value.postings.reduce((sum, posting) => sum + lengthOf(posting), 0);
      postings.push(...part.value.postings);
      checkSize(postings.length, characters);
    }
    if (header === undefined) throw AppError.invalid([{ field: "header", message: "Send the header first." }]);
    isWhole ||= last;
  }
  if (header === undefined || !isWhole) {
    throw new AppError("cancelled", "The import ended without its last message. Send all of it again.");
  }
  return { header, postings };
}

function onlyOnce(earlier: ImportHeader | undefined, header: ImportHeader): ImportHeader {
  if (earlier === undefined) return header;
  throw AppError.invalid([{ field: "header", message: "Send the header only once." }]);
}

function lengthOf({ textOfPost = "", moreInfoJson }: Posting): number {
  return textOfPost.length + moreInfoJson.length;
}

function checkSize(count: number, characters: number): void {
  if (count > POSTINGS_MAX) throw AppError.invalid([{ field: "postings", message: giveAtMost(POSTINGS_MAX, "item") }]);
  if (characters <= CHARACTERS_MAX) return;
  throw new AppError("too-large", "The texts of this import are too long. Send it in several parts.");
}

/** Drafts of one platform that are stored in one commit. */
interface ImportPage {
  platform: PlatformName;
  drafts: PostingDraft[];
}

/** What an import stores; the same request always makes the same plan. */
interface ImportPlan {
  pages: ImportPage[];
  /** By id of the posting, in the order of the request. */
  distinct: ReadonlyMap<string, Item>;
  /** Postings that repeat another one of the request. */
  repeats: number;
  unmatched: readonly Item[];
  /** Of all postings. */
  platforms: ReadonlySet<PlatformName>;
  /** Digest of the request, to recognize its repetition; empty for one without a key, which is never recognized. */
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
async function planImport(
  insight: InsightRecord,
  { header, postings }: ReceivedImport,
  socialIdIn: SocialIdIn,
): Promise<ImportPlan> {
  const pace = new LoopPace();
  const items = await readItems(insight, postings, { pace, socialIdIn });
  const wanted = header.match ? await matching(insight, items, pace) : items;
  const kept = new Set(wanted);
  const distinct = await distinctOf(insight, wanted, pace);
  return {
    pages: pagesOf([...distinct.values()]),
    distinct,
    repeats: wanted.length - distinct.size,
    unmatched: items.filter((item) => !kept.has(item)),
    platforms: new Set(items.map(({ platform }) => platform)),
    hash: header.idempotencyKey === "" ? "" : await hashOf(headOf(insight, header), items, pace),
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
  const socialId = socialIdIn(platform, canonicalUrl(draft.url));
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
  const groups = new Map<PlatformName, PostingDraft[]>();
  for (const { platform, draft } of items) {
    const same = groups.get(platform);
    if (same === undefined) groups.set(platform, [draft]);
    else same.push(draft);
  }
  return groups;
}

/** What else makes a request another one. */
function headOf({ id }: InsightRecord, { match, completeFrom, completeTo }: ImportHeader): unknown[] {
  const span = [completeFrom, completeTo].flatMap((moment) => (moment === undefined ? [] : [timestampMs(moment)]));
  return [id, match, ...span];
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
