import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { create } from "@bufbuild/protobuf";
import {
  type Collections,
  newInsight,
  openCollections,
  type PostingDraft,
  PostingLists,
  PostingStore,
  type PreviewPage,
  type StorePostings,
  Tombstones,
} from "@hourglass/insight/postings";
import { ListPostingsRequestSchema } from "@hourglass/proto/insight/v1/insight_service";
import {
  createLogger,
  NO_MEASUREMENTS,
  openEmbeddedQueue,
  openSqliteStore,
  type Queue,
  type Store,
} from "@hourglass/runtime";
import { median, type Measurement } from "./measure.js";
import { benchTexts } from "./texts.js";

const PAGE = 100;
const PAGES = 50;
const ROUNDS = 5;
/** Postings of the list; the target is meant for a million. */
const LISTED = Number(process.env["BENCH_POSTINGS"] ?? 1_000_000);
const LIST_ROUNDS = 40;
const COMPANY = 1;

/** Storing compared with bare inserts, and lists of many postings. */
export async function measurePostings(): Promise<Measurement[]> {
  return [...(await measureStoring()), ...(await measureLists())];
}

/** An insight on its own store. */
export interface PostingsWorld {
  store: Store;
  queue: Queue;
  collections: Collections;
  storePostings: StorePostings;
  previewPage: PreviewPage;
  file: string;
  close(): Promise<void>;
}

/** Opens a world in that folder, otherwise in a new one that is removed when the world is closed. */
export async function openPostingsWorld(folder?: string): Promise<PostingsWorld> {
  const dataDir = folder ?? (await mkdtemp(path.join(tmpdir(), "hourglass-bench-")));
  const store = await openSqliteStore({ dataDir, log: createLogger("silent") });
  const queue = await openEmbeddedQueue({ database: store.database, log: createLogger("silent") });
  const collections = await openCollections(store);
  const tombstones = new Tombstones(collections);
  await collections.insights.insert({ ...INSIGHT });
  const postingStore = new PostingStore({ store, collections, tombstones, metrics: NO_MEASUREMENTS, now: Date.now });
  return {
    store,
    queue,
    collections,
    storePostings: (request) => postingStore.storePage(request),
    previewPage: (request) => postingStore.previewPage(request),
    file: path.join(dataDir, "hourglass.db"),
    close: async () => {
      await queue.close();
      await store.close();
      if (folder === undefined) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

const INSIGHT = newInsight({
  id: 1,
  companyId: COMPANY,
  query: {
    keywords: "kestrel",
    platforms: ["twitter"],
    dimensions: ["textual"],
    location: "",
    sneakPeek: false,
    follow: { feeds: [], subreddits: [], pages: [], organisations: [] },
  },
  terms: "kestrel",
  createdAt: 0,
});

const TEXTS = benchTexts(1_000);

/** A posting with the fields that most platforms state. */
export function benchDraft(number: number, likes = 1): PostingDraft {
  const author = number % 997;
  return {
    socialId: String(10 ** 12 + number),
    url: `https://example.com/user${author}/status/${10 ** 12 + number}`,
    postedAt: 10 ** 12 + number * 1000,
    text: `${TEXTS[number % TEXTS.length] ?? ""} ${number}`,
    language: "en",
    type: "post",
    author: { id: `a${author}`, username: `user${author}`, name: `User ${author}` },
    counts: { like_count: likes, share_count: 0, comment_count: 3 },
  };
}

export const saveDrafts = (world: PostingsWorld, drafts: readonly PostingDraft[]) =>
  world.storePostings({ insight: INSIGHT, platform: "twitter", drafts, preview: false });

/** Processor time of new and of known postings, each compared with inserts of the same records in the same round. */
async function measureStoring(): Promise<Measurement[]> {
  const times: { fresh: number; known: number; bare: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const [world, other] = [await openPostingsWorld(), await openPostingsWorld()];
    const pages = (likes: number) =>
      Array.from({ length: PAGES }, (_, page) =>
        Array.from({ length: PAGE }, (_, i) => benchDraft(page * PAGE + i, likes)),
      );
    const store = (drafts: PostingDraft[]) => saveDrafts(world, drafts);
    const fresh = await cpuMs(pages(1), store);
    const records = await world.collections.postings.find({}, { sort: [["postedAt", 1]] });
    const same = Array.from({ length: PAGES }, (_, page) => records.slice(page * PAGE, (page + 1) * PAGE));
    const bare = await cpuMs(same, (some) => other.collections.postings.insertMany(some));
    times.push({ fresh, known: await cpuMs(pages(2), store), bare });
    await world.close();
    await other.close();
  }
  const ms = (value: number) => `${((value * 100) / (PAGES * PAGE)).toFixed(1)} ms of processor time per 100`;
  return (["fresh", "known"] as const).map((kind) => ({
    name: `storing pages of ${PAGE} ${kind === "fresh" ? "new postings" : "known postings, new counts"}`,
    value: ms(median(times.map((time) => time[kind]))),
    baseline: `bare inserts ${ms(median(times.map((time) => time.bare)))}`,
    ratio: median(times.map((time) => time.bare / time[kind])),
    target: "≥ 0.50",
  }));
}

/** Milliseconds of processor time of this process. */
async function cpuMs<T>(pages: readonly T[], store: (page: T) => Promise<unknown>): Promise<number> {
  const begin = process.cpuUsage();
  for (const page of pages) await store(page);
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / 1000;
}

/** Pages of 50 at three places of a long list, and the size of the database. */
async function measureLists(): Promise<Measurement[]> {
  const world = await openPostingsWorld();
  try {
    const jsonBytes = await fill(world);
    const lists = new PostingLists({ ...world, now: Date.now });
    const caller = { companyId: COMPANY, signal: new AbortController().signal };
    const read = (end: number | undefined) => {
      const filter = end === undefined ? {} : { end: { seconds: BigInt(10 ** 9 + end), nanos: 0 } };
      return lists.read(create(ListPostingsRequestSchema, { id: 1n, limit: 50, filter }), caller);
    };
    const places = { start: undefined, middle: LISTED / 2, end: 1_000 };
    const cursors = new Map<string, string>();
    for (const [place, end] of Object.entries(places)) cursors.set(place, (await read(end)).nextCursor);
    const times = await medianTimes(cursors, (cursor) =>
      lists.read(create(ListPostingsRequestSchema, { id: 1n, cursor }), caller),
    );
    const bytes = (await stat(world.file)).size;
    const [fastest, slowest] = [Math.min(...times.values()), Math.max(...times.values())];
    return [
      {
        name: `a page of 50 of ${LISTED} postings`,
        value: [...times].map(([place, ms]) => `${place} ${ms.toFixed(1)} ms`).join(", "),
        baseline: `fastest ${fastest.toFixed(1)} ms`,
        ratio: slowest / fastest,
        target: "≤ 50 ms, ≤ 1.50",
      },
      {
        name: "bytes stored for a posting",
        value: (bytes / LISTED).toFixed(0),
        baseline: `its JSON ${(jsonBytes / LISTED).toFixed(0)}`,
        ratio: bytes / jsonBytes,
        target: "≤ 2.50",
      },
    ];
  } finally {
    await world.close();
  }
}

/** Stores analyzed postings; returns the bytes of their JSON. */
async function fill(world: PostingsWorld): Promise<number> {
  const { postings, work } = world.collections;
  let bytes = 0;
  await saveDrafts(world, [benchDraft(0)]);
  const [record] = await postings.find({});
  if (record === undefined) throw new Error("no posting was stored");
  await postings.delete({});
  await work.delete({});
  const analysis = { topics: ["Lisbon", "New York"], labels: [], moreInfo: { spam: { value: "ham", prob: 0.9812 } } };
  for (let start = 0; start < LISTED; start += 1_000) {
    const records = Array.from({ length: Math.min(1_000, LISTED - start) }, (_, i) => {
      // The order of the ids is that of digests: unlike that of the times.
      const number = start + i;
      const content = benchDraft(number);
      const id = `1:twitter:${((number * 2_654_435_761) % 2 ** 32).toString(36).padStart(22, "x")}`;
      const times = { postedAt: content.postedAt, listedAt: content.postedAt };
      const ids = { socialId: content.socialId ?? null, authorId: content.author?.id ?? null };
      return { ...record, id, content, ...times, ...ids, sentiment: "joy", intention: "none", analysis };
    });
    bytes += records.reduce((sum, each) => sum + Buffer.byteLength(JSON.stringify(each)), 0);
    await postings.insertMany(records);
  }
  return bytes;
}

/** Milliseconds at each place, in interleaved rounds. */
async function medianTimes(
  cursors: ReadonlyMap<string, string>,
  run: (cursor: string) => Promise<unknown>,
): Promise<Map<string, number>> {
  const times = new Map([...cursors.keys()].map((place) => [place, [] as number[]]));
  for (let round = 0; round < LIST_ROUNDS; round++) {
    for (const [place, cursor] of cursors) {
      const begin = performance.now();
      await run(cursor);
      times.get(place)?.push(performance.now() - begin);
    }
  }
  return new Map([...times].map(([place, values]) => [place, median(values)]));
}
