import { createHash } from "node:crypto";
import {
  claimDue,
  type Collection,
  type CollectionDeclaration,
  declared,
  type DeclaredCollection,
  deleteStep,
  type DueClaim,
  insertStep,
  type Step,
  type Store,
  updateStep,
} from "@hourglass/runtime";
import type { Query } from "../../query/ast.js";
import type { SharedUse } from "../connector.js";
import type { PostingDraft } from "../posting-draft.js";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** The cursor is the same on all instances of Jetstream. */
const STREAM = "jetstream";
/** Longer than the stream is read at a time: a claim is not renewed. */
const CLAIM_MS = MINUTE_MS;
/** A new query reads so much of what has passed: hours would keep all others waiting. */
const FIRST_MS = 15 * MINUTE_MS;
/** Jetstream keeps about a day or two, so a search that pauses longer misses something anyway. */
const LAPSE_MS = 3 * DAY_MS;
/** A preview polls once. */
const PREVIEW_LAPSE_MS = 10 * MINUTE_MS;
const ITEM_MS = LAPSE_MS + DAY_MS;
/** Until then it is known whom to tell that a post is gone. */
const KNOWN_MS = 400 * DAY_MS;
const LOOKUP_MAX = 250;
const SWEPT_MAX = 200;
const QUERIES_MAX = 10_000;

/** Searches of any company with the same keywords share a query and its items. */
const SHARED = { because: "searches of several companies share them" } as const;

const STREAMS: CollectionDeclaration<StreamRecord> = { name: "bluesky_stream", belongs: SHARED };

const QUERIES: CollectionDeclaration<QueryRecord> = {
  name: "bluesky_queries",
  indexes: [{ fields: ["lapsesAt"] }],
  belongs: SHARED,
};

const ITEMS: CollectionDeclaration<ItemRecord> = {
  name: "bluesky_items",
  indexes: [{ fields: ["query", "seq"] }, { fields: ["post"] }, { fields: ["author"] }, { fields: ["keptUntil"] }],
  belongs: SHARED,
};

const BLUESKY_COLLECTIONS: readonly DeclaredCollection[] = [declared(STREAMS), declared(QUERIES), declared(ITEMS)];

export type StreamClaim = DueClaim<StreamRecord>;

/** What a reading of the stream has found since it was stored last. */
interface StreamChange {
  readonly cursor: number | null;
  readonly readUntil: number | null;
  readonly gaps: readonly Span[];
  /** Times at which the claim ends and the stream is worth reading again; undefined: the reading continues. */
  readonly ends: { readonly dueAt: number; readonly nextAt: number } | undefined;
}

interface Parts {
  readonly store: Store;
  readonly streams: Collection<StreamRecord>;
  readonly queries: Collection<QueryRecord>;
  readonly items: Collection<ItemRecord>;
  readonly options: { readonly now: () => number; readonly claimMs: number };
}

/** The state of the stream, the queries that it is matched against, and the posts that match, shared by all searches. */
export class StreamStore {
  private readonly store: Store;
  private readonly streams: Collection<StreamRecord>;
  private readonly queries: Collection<QueryRecord>;
  private readonly items: Collection<ItemRecord>;
  private readonly options: Parts["options"];

  private constructor({ store, streams, queries, items, options }: Parts) {
    this.store = store;
    this.streams = streams;
    this.queries = queries;
    this.items = items;
    this.options = options;
  }

  static async open(
    store: Store,
    { now, claimMs = CLAIM_MS }: { now: () => number; claimMs?: number | undefined },
  ): Promise<StreamStore> {
    const streams = await store.collection(STREAMS);
    const queries = await store.collection(QUERIES);
    const items = await store.collection(ITEMS);
    const first = { id: STREAM, dueAt: 0, nextAt: 0, cursor: null, readUntil: null, rewindTo: null, seq: 0, gaps: [] };
    await streams.insertNew([first]);
    return new StreamStore({ store, streams, queries, items, options: { now, claimMs } });
  }

  async stream(): Promise<StreamRecord> {
    const record = await this.streams.get(STREAM);
    if (record === undefined) throw new Error("the stream has no record");
    return record;
  }

  /** Has the stream matched against a query from now on, and read from some minutes ago if it was not before. */
  async register(id: string, keywords: string, { preview }: { readonly preview: boolean }): Promise<QueryRecord> {
    const now = this.options.now();
    const known = await this.queries.get(id);
    const lapsesAt = Math.max(known?.lapsesAt ?? 0, now + (preview ? PREVIEW_LAPSE_MS : LAPSE_MS));
    if (known !== undefined && known.lapsesAt > now) {
      if (lapsesAt - known.lapsesAt > MINUTE_MS) await this.queries.update({ id }, { set: { lapsesAt } });
      return known;
    }
    const query = { id, keywords, coversFrom: now - FIRST_MS, lapsesAt };
    // The process that is reading the stream does not know the query: the stream is read again from there.
    await this.store.commit([deleteStep(this.queries, { id }), insertStep(this.queries, query)]);
    const { rewindTo } = await this.stream();
    await this.streams.update({ id: STREAM }, { set: { rewindTo: Math.min(rewindTo ?? Infinity, query.coversFrom) } });
    return query;
  }

  /** The queries of searches that have polled lately. */
  activeQueries(): Promise<QueryRecord[]> {
    return this.queries.find({ lapsesAt: { gt: this.options.now() } }, { sort: [["id", 1]], limit: QUERIES_MAX });
  }

  /** Claims the stream if it is worth reading. Undefined if it is not, or if another process reads it. */
  async claim(): Promise<StreamClaim | undefined> {
    const { now, claimMs } = this.options;
    const record = await this.stream();
    const isWanted = record.nextAt <= now() || record.rewindTo !== null;
    if (!isWanted || record.dueAt > now()) return undefined;
    return claimDue({ records: this.streams, leaseMs: claimMs, now }, record);
  }

  /** The items with these ids. */
  async known(ids: readonly string[]): Promise<Map<string, ItemRecord>> {
    return new Map((await this.found("id", ids)).map((item) => [item.id, item]));
  }

  /** The items of these posts. */
  ofPosts(posts: readonly string[]): Promise<ItemRecord[]> {
    return this.found("post", posts);
  }

  /** The items of these authors. */
  ofAuthors(authors: readonly string[]): Promise<ItemRecord[]> {
    return this.found("author", authors);
  }

  /**
   * Stores new states of items, numbered in their order, together with how far the stream was read. False if the claim was
   * lost or a new query wants the stream to be read again; nothing was stored then.
   */
  async settle(
    claim: StreamClaim,
    at: StreamRecord,
    change: StreamChange,
    items: readonly ItemRecord[],
  ): Promise<boolean> {
    const { cursor, readUntil, gaps, ends } = change;
    const numbered = items.map((item, index) => ({ ...item, seq: at.seq + index + 1 }));
    const set = { cursor, readUntil, gaps: [...gaps], seq: at.seq + items.length, rewindTo: null, ...ends };
    const ids = numbered.map(({ id }) => id);
    const steps: Step[] = [updateStep(this.streams, { ...claim.fence, rewindTo: at.rewindTo }, { set })];
    for (let from = 0; from < ids.length; from += LOOKUP_MAX) {
      const part = numbered.slice(from, from + LOOKUP_MAX);
      steps.push(deleteStep(this.items, { id: { in: part.map(({ id }) => id) } }), insertStep(this.items, ...part));
    }
    return (await this.store.commit(steps)).done;
  }

  /** Items of a query with greater numbers, in the order of their numbers. */
  itemsAfter(query: string, seq: number, limit: number): Promise<ItemRecord[]> {
    return this.items.find({ query, seq: { gt: seq } }, { sort: [["seq", 1]], limit });
  }

  /** Items of a query with the greatest numbers, greatest first. */
  newestItems(query: string, limit: number): Promise<ItemRecord[]> {
    return this.items.find({ query }, { sort: [["seq", -1]], limit });
  }

  /** Forgets texts that searches have had time to read, later the posts themselves, and queries that nobody has. */
  async sweep(): Promise<void> {
    const now = this.options.now();
    const old = await this.items.find({ keptUntil: { lte: now } }, { sort: [["keptUntil", 1]], limit: SWEPT_MAX });
    const kept = old.filter(({ state }) => state === "kept");
    const over = old.filter(({ state }) => state !== "kept").map(({ id }) => id);
    const lapsed = await this.queries.find({ lapsesAt: { lte: now - ITEM_MS } }, { limit: SWEPT_MAX });
    for (const { id, seq } of kept) {
      await this.items.update({ id, seq }, { set: { state: "read", posting: null, keptUntil: now + KNOWN_MS } });
    }
    if (over.length > 0) await this.store.commit([deleteStep(this.items, { id: { in: over } })]);
    if (lapsed.length > 0) {
      await this.store.commit([
        deleteStep(this.queries, { id: { in: lapsed.map(({ id }) => id) }, lapsesAt: { lte: now } }),
      ]);
    }
  }

  private async found(field: "id" | "post" | "author", values: readonly string[]): Promise<ItemRecord[]> {
    const all: ItemRecord[] = [];
    for (let from = 0; from < values.length; from += LOOKUP_MAX) {
      all.push(...(await this.items.find({ [field]: { in: values.slice(from, from + LOOKUP_MAX) } })));
    }
    return all;
  }
}

/** When an item that was read just now gets its next state. */
export function keptFrom(now: number): number {
  return now + ITEM_MS;
}

/** A span of time, in milliseconds since the epoch. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Where the stream was read to, for all searches together. Times are milliseconds since the epoch. */
export interface StreamRecord {
  id: string;
  /** When it may be claimed; a claim moves it ahead by a lease. */
  dueAt: number;
  /** When it is worth reading again. */
  nextAt: number;
  /** Time of the last event that was read, in microseconds since the epoch; null: nothing was. */
  cursor: number | null;
  /** Up to when all is read. */
  readUntil: number | null;
  /** A new query wants to be read from there on; null: none does. */
  rewindTo: number | null;
  /** Number of the last item. */
  seq: number;
  /** What the stream no longer had when it was read. */
  gaps: Span[];
}

/** Keywords that some search has. */
export interface QueryRecord {
  /** Digest of the keywords. */
  id: string;
  keywords: string;
  /** Since when the stream is matched against them. */
  coversFrom: number;
  /** When they are forgotten if no search polls until then. */
  lapsesAt: number;
}

/** A post that matches a query. */
export interface ItemRecord {
  /** Of the query and the post. */
  id: string;
  query: string;
  /** Searches read on from the last number that they have seen. A change gives a new one. */
  seq: number;
  /** Address of the post. */
  post: string;
  author: string;
  /** Of its last event, in microseconds since the epoch. */
  time: number;
  /** `read`: searches have had time to read it; what is left says whom to tell that it is gone. */
  state: "kept" | "read" | "gone";
  posting: PostingDraft | null;
  /** When it gets its next state, or is deleted. */
  keptUntil: number;
}

/** The keywords of a query as its owner wrote them: printed in another form they might be too long to be read again. */
export function keywordsOf({ terms }: Query): string {
  return terms.map(({ text }) => text).join(", ");
}

/** Keywords that the stream is matched against, and the posts that match, are shared by searches with the same ones. */
export const SHARED_QUERIES: SharedUse = {
  platform: "bluesky",
  collections: BLUESKY_COLLECTIONS,
  namesOf: ({ query }) => [digestOf(keywordsOf(query))],
  forget: async (store, names) => {
    const [queries, items] = [await store.collection(QUERIES), await store.collection(ITEMS)];
    return {
      [ITEMS.name]: await items.delete({ query: { in: names } }),
      [QUERIES.name]: await queries.delete({ id: { in: names } }),
    };
  },
};

/** Ids have a limited length, addresses have none. */
export function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}
