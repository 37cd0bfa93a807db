import {
  claimDue,
  type Collection,
  type CollectionDeclaration,
  deleteStep,
  type DueClaim,
  failpoint,
  insertStep,
  type Store,
  updateStep,
} from "@hourglass/runtime";
import type { PostingDraft } from "../../posting-draft.js";
import { digest, lastingIdOf } from "../identity.js";
import type { FeedWishes } from "./entry.js";
import { contentHash } from "./posting.js";

/** Longer than the deadline of a request and the time to read a feed: a claim is not renewed. */
const CLAIM_MS = 60_000;
/** Ids looked up with one query. */
const LOOKUP_MAX = 250;
/** Items deleted with one commit; the rest goes with the next one. */
const DELETED_MAX = 500;

/** A feed is read once for all searches that follow it. */
const SHARED = { because: "searches of several companies share them" } as const;

export const FEEDS: CollectionDeclaration<FeedRecord> = {
  name: "news_feeds",
  indexes: [{ fields: ["lapsesAt"] }],
  belongs: SHARED,
};

export const FEED_ITEMS: CollectionDeclaration<FeedItem> = {
  name: "news_items",
  indexes: [{ fields: ["feed", "seq"] }, { fields: ["feed", "seenAt"] }],
  belongs: SHARED,
};

/** How long items wait for searches. */
interface Retention {
  /** Milliseconds since they were first seen. */
  readonly keepMs: number;
  /** Items of one feed. */
  readonly itemsMax: number;
}

/** A week, in which a new search looks back, and an hour in which its first poll may be late. */
export const RETENTION: Retention = { keepMs: (7 * 24 + 1) * 60 * 60_000, itemsMax: 5000 };

interface FeedStoreOptions {
  retention?: Retention;
  /** How long a claim of a feed lasts, in milliseconds. */
  claimMs?: number;
}

/** State of a feed after an attempt; `dueAt` ends the claim. */
export type FeedChange = Partial<Omit<FeedRecord, "id" | "url" | "seq" | "coversFrom" | "crowdedOut" | "lapsesAt">> &
  Pick<FeedRecord, "dueAt">;

interface Parts {
  store: Store;
  feeds: Collection<FeedRecord>;
  items: Collection<FeedItem>;
  now: () => number;
  retention: Retention;
  claimMs: number;
}

/** Feeds and their items, shared by all searches. */
export class FeedStore {
  private readonly store: Store;
  private readonly feeds: Collection<FeedRecord>;
  private readonly items: Collection<FeedItem>;
  private readonly now: () => number;
  private readonly retention: Retention;
  private readonly claimMs: number;

  private constructor(parts: Parts) {
    this.store = parts.store;
    this.feeds = parts.feeds;
    this.items = parts.items;
    this.now = parts.now;
    this.retention = parts.retention;
    this.claimMs = parts.claimMs;
  }

  static async open(store: Store, now: () => number, options: FeedStoreOptions = {}): Promise<FeedStore> {
    const { retention = RETENTION, claimMs = CLAIM_MS } = options;
    const feeds = await store.collection(FEEDS);
    const items = await store.collection(FEED_ITEMS);
    return new FeedStore({ store, feeds, items, now, retention, claimMs });
  }

  /** The records of these feeds, in the same order, created where missing. A new feed is due at once. */
  async recordsOf(urls: readonly string[]): Promise<FeedRecord[]> {
    const ids = urls.map(feedIdOf);
    const known = await this.feeds.find({ id: { in: ids } });
    const missing = urls.filter((url) => !known.some(({ id }) => id === feedIdOf(url)));
    await this.feeds.insertNew(missing.map((url) => newFeed(url, this.now())));
    const all = missing.length === 0 ? known : await this.feeds.find({ id: { in: ids } });
    return ids.flatMap((id) => all.find((record) => record.id === id) ?? []);
  }

  /** Claims a feed that is due. Undefined if it is not, or if another process fetches it. */
  async claim(record: FeedRecord): Promise<DueClaim<FeedRecord> | undefined> {
    if (record.dueAt > this.now()) return undefined;
    return claimDue({ records: this.feeds, leaseMs: this.claimMs, now: this.now }, record);
  }

  /** Makes a feed due that waits after a failure; without effect while it is being fetched. */
  async recall({ id, dueAt }: FeedRecord): Promise<void> {
    const now = this.now();
    if (dueAt > now + this.claimMs) await this.feeds.update({ id, dueAt }, { set: { dueAt: now } });
  }

  /** Ends the claim with the new state of the feed. False if the claim was lost; nothing was stored then. */
  async settle(claim: DueClaim<FeedRecord>, change: FeedChange): Promise<boolean> {
    return (await this.feeds.update(claim.fence, { set: this.withLapse(change) })) !== undefined;
  }

  /**
   * Stores the items of a document together with the state of its feed and ends the claim. New and changed items are
   * numbered, the last of the document first. False if the claim was lost; nothing was stored then.
   */
  async settleWith(
    claim: DueClaim<FeedRecord>,
    change: FeedChange,
    postings: readonly PostingDraft[],
  ): Promise<boolean> {
    const { id: feed, seq } = claim.record;
    const names = namesOf(feed, postings);
    const known = await this.known([...new Set(names.flatMap(({ lasting, literal }) => [lasting, literal]))]);
    const ids = names.map((name) => itemIdOf(name, known));
    const changed = mergeItems({ feed, seq, ids, postings, known, now: this.now() });
    const last = seq + changed.length;
    const outdated = await this.outdated(feed, { last, present: new Set(ids) });
    const committed = await this.store.commit([
      updateStep(this.feeds, claim.fence, {
        set: {
          ...this.withLapse(change),
          seq: last,
          coversFrom: this.coveredFrom(claim.record, postings, known),
          crowdedOut: lastOf(claim.record.crowdedOut, outdated.tooMany),
        },
      }),
      deleteStep(this.items, { id: { in: [...outdated.ids, ...changed.map(({ id }) => id)] } }),
      ...(changed.length === 0 ? [] : [insertStep(this.items, ...changed)]),
    ]);
    failpoint("collector.news.stored");
    return committed.done;
  }

  /** Items of a feed with greater numbers, in the order of their numbers. */
  async itemsAfter(feed: string, seq: number, limit: number): Promise<FeedItem[]> {
    return this.items.find({ feed, seq: { gt: seq } }, { sort: [["seq", 1]], limit });
  }

  /** Items of a feed with the greatest numbers, greatest first. */
  async newestItems(feed: string, limit: number): Promise<FeedItem[]> {
    return this.items.find({ feed }, { sort: [["seq", -1]], limit });
  }

  /**
   * Deletes the items of a feed that was not read for as long as items are kept, if there is one. Its record stays: the
   * positions of searches that may follow it again refer to its numbers.
   */
  async emptyLapsed(): Promise<void> {
    const [lapsed] = await this.feeds.find({ lapsesAt: { lte: this.now() } }, { sort: [["lapsesAt", 1]], limit: 1 });
    if (lapsed === undefined) return;
    const { id, lapsesAt, dueAt } = lapsed;
    // The process that fetches it has compared the document with the items that would be deleted.
    if (dueAt > this.now()) return;
    // Without validators the next answer is a whole document.
    const empty = { lapsesAt: null, etag: null, lastModified: null, documentHash: null };
    await this.store.commit([
      updateStep(this.feeds, { id, lapsesAt, dueAt }, { set: empty }),
      deleteStep(this.items, { feed: id }),
    ]);
  }

  private coveredFrom(
    { coversFrom }: FeedRecord,
    postings: readonly PostingDraft[],
    known: ReadonlyMap<string, FeedItem>,
  ): number {
    const continues = postings.length === 0 || known.size > 0;
    if (coversFrom !== null && continues) return coversFrom;
    return postings.reduce((oldest, { postedAt }) => Math.min(oldest, postedAt), this.now());
  }

  private withLapse(change: FeedChange): FeedChange & Partial<FeedRecord> {
    return typeof change.readAt === "number" ? { ...change, lapsesAt: change.readAt + this.retention.keepMs } : change;
  }

  private async known(ids: readonly string[]): Promise<ReadonlyMap<string, FeedItem>> {
    const known = new Map<string, FeedItem>();
    for (let at = 0; at < ids.length; at += LOOKUP_MAX) {
      const found = await this.items.find({ id: { in: ids.slice(at, at + LOOKUP_MAX) } });
      for (const item of found) known.set(item.id, item);
    }
    return known;
  }

  /** Items that are old or too many. Those that still stand in the document stay, else they would be new again. */
  private async outdated(
    feed: string,
    { last, present }: { last: number; present: ReadonlySet<string> },
  ): Promise<{ ids: string[]; tooMany: FeedItem[] }> {
    const { keepMs, itemsMax } = this.retention;
    const limit = DELETED_MAX + present.size;
    const old = await this.items.find({ feed, seenAt: { lt: this.now() - keepMs } }, { sort: [["seenAt", 1]], limit });
    const beyond = await this.items.find({ feed, seq: { lte: last - itemsMax } }, { sort: [["seq", 1]], limit });
    const tooMany = beyond.filter(({ id }) => !present.has(id));
    const ids = [...old, ...tooMany].map(({ id }) => id).filter((id) => !present.has(id));
    return { ids: [...new Set(ids)], tooMany };
  }
}

/** What is deleted, together with what was deleted before. */
function lastOf(before: CrowdedOut | null, deleted: readonly FeedItem[]): CrowdedOut | null {
  return deleted.reduce<CrowdedOut | null>(
    (last, { seq, posting: { postedAt } }) => ({
      seq: Math.max(last?.seq ?? 0, seq),
      until: Math.max(last?.until ?? 0, postedAt + 1),
    }),
    before ?? null,
  );
}

/** Id of the feed with this URL. */
export function feedIdOf(url: string): string {
  return digest(url);
}

/** Ids that an item may have. */
interface ItemNames {
  /** By what lasts of the identity. */
  readonly lasting: string;
  /** By the identity as stated. */
  readonly literal: string;
  readonly socialId: string;
  /** Whether another posting of the document has the same `lasting` id: then nothing tells which of them it is. */
  readonly isAmbiguous: boolean;
}

function namesOf(feed: string, postings: readonly PostingDraft[]): ItemNames[] {
  const idOf = (...identity: string[]): string => `${feed}:${digest(...identity)}`;
  const lasting = postings.map(({ socialId = "", url }) => idOf("lasting", lastingIdOf(socialId, url)));
  const uses = new Map<string, number>();
  for (const id of lasting) uses.set(id, (uses.get(id) ?? 0) + 1);
  return postings.map(({ socialId = "" }, index) => {
    const id = lasting[index]!;
    return { lasting: id, literal: idOf(socialId), socialId, isAmbiguous: uses.get(id) !== 1 };
  });
}

/** The id under which the item is stored, or is to be. */
function itemIdOf(
  { lasting, literal, socialId, isAmbiguous }: ItemNames,
  known: ReadonlyMap<string, FeedItem>,
): string {
  if (known.has(literal)) return literal;
  return isAmbiguous && known.get(lasting)?.posting.socialId !== socialId ? literal : lasting;
}

function newFeed(url: string, now: number): FeedRecord {
  return {
    ...{ id: feedIdOf(url), url, address: url, dueAt: now },
    ...{ etag: null, lastModified: null, documentHash: null, wishes: {}, isCut: false, lacksNewest: false },
    ...{ seq: 0, readAt: null, coversFrom: null, lapsesAt: null, crowdedOut: null },
    ...{ failures: 0, failedAt: null, problem: null },
  };
}

interface Merge {
  readonly feed: string;
  /** Number of the feed's last item. */
  readonly seq: number;
  /** Ids of the items, one for each posting. */
  readonly ids: readonly string[];
  /** In the order of the document, which states the newest first. */
  readonly postings: readonly PostingDraft[];
  /** Items that are stored already, by id. */
  readonly known: ReadonlyMap<string, FeedItem>;
  readonly now: number;
}

/**
 * The items that are new or changed, numbered. What has no time of its own keeps the time of first sight, and an item
 * whose id is written in another way keeps the id of first sight: it is the same posting.
 */
function mergeItems({ feed, seq, ids, postings, known, now }: Merge): FeedItem[] {
  const changed: FeedItem[] = [];
  for (const [index, stated] of [...postings.entries()].reverse()) {
    const id = ids[index]!;
    const before = known.get(id);
    const posting = before === undefined ? stated : { ...stated, ...identityOf(before.posting) };
    const hash = contentHash(posting);
    if (before?.hash === hash) continue;
    changed.push({
      id,
      feed,
      seq: seq + changed.length + 1,
      seenAt: before?.seenAt ?? now,
      hash,
      posting: isDated(posting) || before === undefined ? posting : { ...posting, postedAt: before.posting.postedAt },
    });
  }
  return changed;
}

function identityOf({ socialId, socialIdScope }: PostingDraft): Partial<PostingDraft> {
  return {
    ...(socialId === undefined ? {} : { socialId }),
    ...(socialIdScope === undefined ? {} : { socialIdScope }),
  };
}

function isDated({ moreInfo }: PostingDraft): boolean {
  return moreInfo?.["date"] !== "first_seen";
}

/** Why a feed cannot be read. `gone`: its server says that it has ended; `refused`: until it is repaired; `temporary`: it may pass. */
export type ProblemKind = "gone" | "refused" | "busy" | "temporary";

/** Why the last attempt at a feed failed. */
export interface FeedProblem {
  kind: ProblemKind;
  /** A sentence for those who follow the feed. */
  message: string;
}

interface CrowdedOut {
  /** Number of the item: a search whose position is below has missed it, and perhaps others before it. */
  seq: number;
  /** All of these items were posted before this time. */
  until: number;
}

/** A feed that some search follows, fetched once for all of them. Times are milliseconds since the epoch. */
export interface FeedRecord {
  /** Digest of `url`. */
  id: string;
  /** As it was named. */
  url: string;
  /** Where it is now: permanent redirects are stored. */
  address: string;
  /** When it may be fetched next; a claim moves it ahead by a lease. */
  dueAt: number;
  /** Validators of the last answer, exactly as they came. */
  etag: string | null;
  lastModified: string | null;
  /** Digest of the last document, for servers without validators. */
  documentHash: string | null;
  wishes: FeedWishes;
  /** Whether the last document had more entries than are read. */
  isCut: boolean;
  /** Whether these entries were the newest ones, because the document states the oldest first. */
  lacksNewest: boolean;
  /** The last item that was deleted because there were too many, although searches may not have read it. */
  crowdedOut: CrowdedOut | null;
  /** Number of the last item; items are numbered in the order in which they were found or changed. */
  seq: number;
  /** When it was last answered with a feed or with 304. */
  readAt: number | null;
  /**
   * Oldest time of posting from which no item is missing: that of the first document, and of a later one that shares no
   * item with what is stored. Null before the first one.
   */
  coversFrom: number | null;
  /** When its items are deleted, because nobody has read it for so long. Null: it has none. */
  lapsesAt: number | null;
  /** Failed attempts in sequence. */
  failures: number;
  /** When the last of them was. */
  failedAt: number | null;
  problem: FeedProblem | null;
}

/** An item of a feed, kept for searches that have not read it yet. */
export interface FeedItem {
  /** Feed and a digest of the identity of the item. */
  id: string;
  /** Id of the feed. */
  feed: string;
  /** Greater than that of all items that were found or changed before; a changed item gets a new one. */
  seq: number;
  /** When it was first seen. */
  seenAt: number;
  /** Digest of what readers see. */
  hash: string;
  posting: PostingDraft;
}
