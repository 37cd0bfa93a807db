import { create } from "@bufbuild/protobuf";
import { ErasePostingsRequestSchema } from "@hourglass/proto/insight/v1/insight_service";
import { Platform } from "@hourglass/proto/insight/v1/platform";
import type { Summary } from "@hourglass/proto/insight/v1/summary";
import type { Store } from "@hourglass/runtime";
import { repeats } from "@hourglass/runtime/testing";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { PostingErasures } from "../postings/erase.js";
import { removeExpired } from "../postings/retention.js";
import { COMPANY, draft, PostingsWorld } from "../postings/testing/postings-world.js";
import { PostingStore, type StorePostings } from "../postings/store.js";
import type { InsightRecord, PostingRecord } from "../store/records.js";
import { recountDirty } from "./rollup.js";
import { analyzeAll, countAll, day, pairs, summaryOf } from "./testing/summary-world.js";

/** Whole months, so that those of buckets are read, too. */
const WHOLE = { filter: { start: day(-30), end: day(62) }, top: 100 };

const EMOTIONS = ["joy", "anger", null] as const;
const DAY_MS = 86_400_000;

class Crash extends Error {}

/** A world whose commits end the current step before or after they are done, when told so. */
class CrashingWorld {
  /** Commits until the crash, which comes after the commit if `isDone`. */
  next: { after: number; isDone: boolean } | undefined;
  readonly world: PostingsWorld;

  constructor(readonly whole: PostingsWorld) {
    const commit: Store["commit"] = async (steps) => {
      const crash = this.next;
      if (crash === undefined || crash.after-- > 0) return whole.store.commit(steps);
      this.next = undefined;
      if (crash.isDone) await whole.store.commit(steps);
      throw new Crash("killed");
    };
    // Not by inheritance: stores have private members.
    const store: Store = {
      commit,
      collection: (spec) => whole.store.collection(spec),
      versionOf: (read) => whole.store.versionOf(read),
      nextId: (counter) => whole.store.nextId(counter),
      insertNext: (collection, counter, document) => whole.store.insertNext(collection, counter, document),
      spend: (budget, units) => whole.store.spend(budget, units),
      migrate: (migrations) => whole.store.migrate(migrations),
      ping: () => whole.store.ping(),
      close: () => whole.store.close(),
    };
    const { collections, tombstones, metrics, now } = whole;
    const postingStore = new PostingStore({ store, collections, tombstones, metrics, now });
    const storePostings: StorePostings = (request) => postingStore.storePage(request);
    const parts = { store: { value: store }, storePostings: { value: storePostings } };
    this.world = Object.create(whole, parts) as PostingsWorld;
  }

  /** Does a step, as far as it comes. */
  async attempt(step: () => Promise<unknown>): Promise<void> {
    await step().catch((error: unknown) => {
      if (!(error instanceof Crash)) throw error;
    });
    this.next = undefined;
  }
}

type Action = (world: PostingsWorld, insight: InsightRecord) => Promise<unknown>;

const results = (posting: PostingRecord) => ({
  sentiment: EMOTIONS[(posting.content.text?.length ?? 0) % 3] ?? null,
  topics: (posting.content.text ?? "").split(" ").slice(0, 3),
});

const number = fc.integer({ min: 0, max: 15 }).map((each) => each * 37);

const item = fc.tuple(number, fc.integer({ min: 0, max: 1 }), fc.integer({ min: 0, max: 3 }));
const save = fc.tuple(fc.array(item, { maxLength: 8 }), fc.boolean());

const action: fc.Arbitrary<[name: string, Action]> = fc.oneof(
  save.map(([items, isNews]): [string, Action] => [
    `save ${JSON.stringify(items)}`,
    (world, insight) => {
      const drafts = items.map(([at, edit, likes]) =>
        draft(at, {
          text: `${"Kestrel ".repeat(edit)}in Lisbon ${at % 3}`,
          tags: [`#Tag${edit}`],
          author: { id: `a${at % 4}`, username: `user${at % 4}` },
          counts: { like_count: likes },
        }),
      );
      return world.save(insight, drafts, { platform: isNews ? "news" : "twitter" });
    },
  ]),
  fc.constant<[string, Action]>(["analyze", (world, insight) => analyzeAll(world, insight, results)]),
  fc.constant<[string, Action]>(["count", (world) => countAll(world)]),
  // As the background does: of all levels together.
  fc.constant<[string, Action]>([
    "count what is dirty",
    async (world) => recountDirty(world, await world.collections.dirtyBuckets.find({})),
  ]),
  number.map((at): [string, Action] => [
    `erase ${at}`,
    (world) =>
      new PostingErasures(world).erase(
        create(ErasePostingsRequestSchema, { platform: Platform.TWITTER, socialId: `s${at}` }),
        COMPANY,
      ),
  ]),
  fc.constant<[string, Action]>([
    "expire",
    (world) => {
      world.time += DAY_MS;
      return removeExpired({ ...world.sweeping, retentionDays: { news: 2 } }, () => true);
    },
  ]),
  fc.constant<[string, Action]>(["summarize", (world, insight) => summaryOf(world, insight, WHOLE)]),
);

const crash = fc.option(fc.record({ after: fc.integer({ min: 0, max: 2 }), isDone: fc.boolean() }), {
  nil: undefined,
  freq: 3,
});

/** What a summary must be: counted with plain means from the postings. */
function recount(postings: readonly PostingRecord[]) {
  const counted = (valuesOf: (posting: PostingRecord) => readonly (string | null | undefined)[]) => {
    const counts = new Map<string | undefined, number>();
    for (const posting of postings) {
      for (const value of valuesOf(posting)) {
        const key = value ?? undefined;
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
    }
    return Object.fromEntries(counts) as Record<string, number>;
  };
  return {
    postings: postings.length,
    likes: postings.reduce((sum, { content }) => sum + Number(content.counts?.like_count ?? 0), 0),
    platforms: counted(({ platform }) => [platform]),
    sentiments: counted(({ sentiment }) => [sentiment]),
    topics: counted(({ analysis }) => [...new Set(analysis?.topics.flatMap((topic) => topic.toLowerCase() || []))]),
    hashtags: counted(({ content }) => (content.tags ?? []).map((tag) => tag.slice(1).toLowerCase())),
    authors: counted(({ content, platform }) => [`${platform} ${content.author?.id ?? ""}`]),
    days: counted(({ postedAt }) => [new Date(postedAt).toISOString().slice(0, 10)]),
  };
}

function stated({ totals, series, topTopics, topHashtags, topAuthors }: Summary): ReturnType<typeof recount> {
  const likes = totals?.engagement.find(({ name }) => name === "like_count");
  const days = series.map(({ start, counts }) => [
    new Date(Number(start?.seconds) * 1000).toISOString().slice(0, 10),
    Number(counts?.postings),
  ]);
  const authors = (topAuthors?.values ?? []).map(({ platform, author, count }) => [
    `${platform === Platform.NEWS ? "news" : "twitter"} ${author?.authorId ?? ""}`,
    Number(count),
  ]);
  return {
    postings: Number(totals?.postings),
    likes: Number(likes?.sum ?? 0),
    platforms: Object.fromEntries(pairs(totals?.platforms)) as Record<string, number>,
    sentiments: Object.fromEntries(pairs(totals?.sentiments)) as Record<string, number>,
    topics: lowered(topTopics),
    hashtags: lowered(topHashtags),
    authors: Object.fromEntries(authors) as Record<string, number>,
    days: Object.fromEntries(days.filter(([, count]) => count !== 0)) as Record<string, number>,
  };
}

/** The counts of values whatever their spelling. */
function lowered(top: Parameters<typeof pairs>[0]): Record<string, number> {
  return Object.fromEntries(pairs(top).map(([value, count]) => [String(value).toLowerCase(), count]));
}

it("equals a recount of the postings after any changes and crashes", { timeout: 120_000 }, async () => {
  const whole = await PostingsWorld.open();
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(action, crash), { minLength: 3, maxLength: 25 }), async (actions) => {
        const crashing = new CrashingWorld(whole);
        const insight = await whole.insight({ companyId: COMPANY });
        for (const [[, act], when] of actions) {
          crashing.next = when && { ...when };
          await crashing.attempt(() => act(crashing.world, insight));
        }
        const listed = (await whole.stored(insight)).filter(({ listedAt }) => listedAt !== null);
        // The last one has lists that were kept of the one before.
        for (const isCounted of [false, true, true]) {
          if (isCounted) await countAll(whole);
          expect(stated(await summaryOf(crashing.world, insight, WHOLE))).toEqual(recount(listed));
        }
        await whole.collections.tombstones.delete({});
        await whole.collections.erasures.delete({});
      }),
      { numRuns: repeats(30) },
    );
  } finally {
    await whole.close();
  }
});
