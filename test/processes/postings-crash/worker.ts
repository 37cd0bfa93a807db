import type { TextAnalyst, TextAnalysis } from "@hourglass/analysis";
import {
  type Collections,
  openCollections,
  PostingErasures,
  PostingImports,
  PostingStore,
  analysisJobs,
  sweepJobs,
  type PreviewPage,
  type StorePostings,
  Tombstones,
} from "@hourglass/insight/postings";
import { administerReanalyses } from "@hourglass/insight";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { ErasePostingsRequestSchema, ImportPostingsRequestSchema } from "@hourglass/proto/insight/v1/insight_service";
import { Platform } from "@hourglass/proto/insight/v1/platform";
import {
  armFailpoints,
  type Collection,
  createLogger,
  insertStep,
  NO_MEASUREMENTS,
  type Store,
  updateStep,
} from "@hourglass/runtime";
import { openLifeStorage } from "../lives/storage.js";
import { until } from "../lives/until.js";
import { COMPANY, DOOMED, doomedDrafts, ERASED_AUTHOR, IMPORTED, INSIGHT, PAGES, pageOf } from "./postings.js";

/** How far a poll of this test has come. */
interface Poll {
  id: string;
  page: number;
}

const DOOMED_POLL = "doomed";

/** Longer than the time for which a month is not counted again. */
const COUNTED_AFTER_MS = 11 * 60_000;

/**
 * Stores, imports, analyzes and erases postings, deletes an insight, counts for summaries, and continues where an earlier
 * process was killed. Prints the outcome of the import.
 */
async function work(aheadMs: number): Promise<void> {
  const log = createLogger("silent");
  let ahead = aheadMs;
  const now = (): number => Date.now() + ahead;
  const { store, queue, close } = await openLifeStorage(process.env);
  const collections = await openCollections(store);
  const polls = await store.collection<Poll>({ name: "test_polls" });
  await polls.insertNew([{ id: "poll", page: 0 }]);
  await collections.insights.insertNew([INSIGHT]);
  const tombstones = new Tombstones(collections);
  const deps = { store, queue, collections, tombstones, metrics: NO_MEASUREMENTS, log, now };
  const postingStore = new PostingStore(deps);
  const storePostings: StorePostings = (request) => postingStore.storePage(request);

  for (let page = (await polls.get("poll"))?.page ?? 0; page < PAGES; page++) {
    await storePostings({
      insight: INSIGHT,
      platform: "twitter",
      drafts: pageOf(page),
      preview: false,
      alongside: () => [updateStep(polls, { id: "poll", page }, { set: { page: page + 1 } })],
    });
  }

  const previewPage: PreviewPage = (request) => postingStore.previewPage(request);
  const imports = new PostingImports({ ...deps, storePostings, previewPage, socialIdIn: () => undefined });
  process.stdout.write(JSON.stringify(await imports.import(importStream(), COMPANY)));

  const analysis = analysisJobs({ ...deps, texts: TEXTS, files: { analyze: noMedia }, checkMs: 5 }).start();
  await until("all postings are analyzed", async () => (await collections.work.count({})) === 0);
  await analyzeAgain(store, collections);
  await analysis.stop(1_000);

  const erasures = new PostingErasures(deps);
  await eraseAuthor(erasures, collections);
  await deleteDoomed({ store, collections, polls, storePostings });
  const { chores } = collections;
  const sweeping = { ...deps, erasures, retentionDays: {}, chores, furtherChores: [], everyMs: 5 };
  const sweeper = sweepJobs(sweeping).start();
  await until("all erasures have ended", async () => (await collections.erasures.count({})) === 0);
  await until("the insight is erased", async () => (await collections.insights.get(DOOMED.id)) === undefined);
  const { dirtyBuckets, recounts } = collections;
  await until("all summaries are counted", async () => {
    if ((await recounts.count({})) > 0 || (await dirtyBuckets.count({ dueAt: { lte: now() } })) > 0) return false;
    ahead += COUNTED_AFTER_MS;
    return (await dirtyBuckets.count({})) === 0;
  });
  await sweeper.stop(1_000);
  await close();
}

/** Once: an operator who has asked for it does not repeat it. */
async function analyzeAgain(store: Store, { reanalyses, postings }: Collections): Promise<void> {
  if ((await reanalyses.count({})) === 0) {
    const earlier = { topics: [], labels: [], moreInfo: {} };
    await postings.updateMany({ insightId: INSIGHT.id }, { set: { intention: "earlier", analysis: earlier } });
    await (await administerReanalyses({ store })).begin({ insightId: INSIGHT.id });
  }
  await until("all are analyzed again", async () => (await reanalyses.count({ finishedAt: null })) === 0);
}

/** The caller of an erasure that was interrupted does not repeat it: that is left to the sweeper. */
async function eraseAuthor(erasures: PostingErasures, { tombstones }: Collections): Promise<void> {
  if ((await tombstones.count({})) > 0) return;
  const request = create(ErasePostingsRequestSchema, { platform: Platform.TWITTER, authorId: ERASED_AUTHOR });
  await erasures.erase(request, COMPANY);
}

interface DeletionDeps {
  store: Store;
  collections: Collections;
  polls: Collection<Poll>;
  storePostings: StorePostings;
}

/** Deletes an insight with postings as a request does; the sweeper erases it. */
async function deleteDoomed({ store, collections, polls, storePostings }: DeletionDeps): Promise<void> {
  if ((await polls.get(DOOMED_POLL)) !== undefined) return;
  await collections.insights.insertNew([DOOMED]);
  await storePostings({ insight: DOOMED, platform: "twitter", drafts: doomedDrafts(), preview: false });
  await store.commit([
    updateStep(collections.insights, { id: DOOMED.id }, { set: { status: "deleted", dueAt: 0 } }),
    insertStep(polls, { id: DOOMED_POLL, page: 1 }),
  ]);
}

async function* importStream() {
  const header = { id: BigInt(INSIGHT.id), idempotencyKey: "key" };
  yield create(ImportPostingsRequestSchema, { part: { case: "header", value: header } });
  const postings = Array.from({ length: IMPORTED }, (_, number) => ({
    platform: Platform.NEWS,
    socialId: `n${number}`,
    postedAt: timestampFromMs(number),
    textOfPost: `News ${number}`,
  }));
  for (const [start, last] of [
    [0, false],
    [IMPORTED / 2, true],
  ] as const) {
    const value = { postings: postings.slice(start, start + IMPORTED / 2) };
    yield create(ImportPostingsRequestSchema, { part: { case: "slice", value }, last });
  }
}

const TEXTS: TextAnalyst = {
  analyze: (texts) =>
    Promise.resolve(
      texts.map((text): TextAnalysis => {
        const [intention, other] = [`intention of ${text}`, "other"].map((value) => ({ value, prob: 0.5 }));
        const classified = { "sentiment-simple": other, "sentiment-real": other, "spam-detection": other };
        const results = { ...classified, topic: [], intention } as TextAnalysis["results"];
        return { results, errors: {}, models: {}, language: "en", supported: {} };
      }),
    ),
};

const noMedia = (): Promise<never> => Promise.reject(new Error("no posting has media"));

const [failpoints = "", aheadMs = "0"] = process.argv.slice(2);
armFailpoints(failpoints);
await work(Number(aheadMs));
