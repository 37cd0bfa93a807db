import {
  openCollections,
  PostingErasures,
  PostingStore,
  type RecheckDeps,
  recheckChore,
  recheckJobs,
  Tombstones,
} from "@hourglass/insight/postings";
import { armFailpoints, createLogger, NO_MEASUREMENTS } from "@hourglass/runtime";
import { openLifeStorage } from "../lives/storage.js";
import { until } from "../lives/until.js";
import { drafts, INSIGHTS, PLATFORM, recheckedPlatform, STORED, TERM_MS } from "./platform.js";

/** Questions to the platform, in their order. */
interface Asked {
  id: number;
  ids: readonly string[];
}

/**
 * Stores postings and compares them with their platform once most of its term is over, and continues where an earlier
 * process was killed.
 */
async function recheck(aheadMs: number): Promise<void> {
  const log = createLogger("silent");
  let ahead = aheadMs;
  const now = (): number => Date.now() + ahead;
  const { store, queue, close } = await openLifeStorage(process.env);
  const collections = await openCollections(store);
  const asked = await store.collection<Asked>({ name: "test_asked" });
  const deps = {
    store,
    queue,
    collections,
    tombstones: new Tombstones(collections),
    metrics: NO_MEASUREMENTS,
    log,
    now,
  };
  const [postingStore, erasures] = [new PostingStore(deps), new PostingErasures(deps)];

  const prepared = await store.collection<{ id: number }>({ name: "test_prepared" });
  if ((await prepared.count({})) === 0) {
    await collections.insights.insertNew(INSIGHTS);
    for (const insight of INSIGHTS) {
      await postingStore.storePage({ insight, platform: PLATFORM, drafts: drafts(), preview: false });
    }
    await prepared.insert({ id: 1 });
  }
  ahead += 0.9 * TERM_MS;

  const platform = recheckedPlatform(async (ids) => {
    await asked.insert({ id: await store.nextId("test_asked"), ids });
  });
  const rechecking: RecheckDeps = {
    ...deps,
    platforms: new Map([[PLATFORM, { connector: platform }]]),
    eraseGone: (gone) => erasures.eraseGone(gone),
    refreshFound: (found) => postingStore.refreshFound(found),
  };
  await recheckChore(rechecking).work(new AbortController().signal);
  const jobs = recheckJobs({ ...rechecking, queue, metrics: NO_MEASUREMENTS }).start();
  await until("a round is over", async () => {
    const [record] = await collections.rechecks.find({});
    const known = new Set((await asked.find({})).flatMap(({ ids }) => ids));
    return record?.round === null && known.size === STORED;
  });
  await jobs.stop(1_000);
  await close();
}

const [failpoints = "", aheadMs = "0"] = process.argv.slice(2);
armFailpoints(failpoints);
await recheck(Number(aheadMs));
