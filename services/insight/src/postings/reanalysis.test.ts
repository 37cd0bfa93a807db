import { create } from "@bufbuild/protobuf";
import { ListPostingsRequestSchema } from "@hourglass/proto/insight/v1/insight_service";
import type { Stoppable } from "@hourglass/runtime";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { administerReanalyses, type ReanalysisAdministration } from "../administer-reanalyses.js";
import type { InsightRecord } from "../store/records.js";
import { analysisJobs } from "./analyze.js";
import { eraseInsight } from "./erase.js";
import { PostingLists } from "./list.js";
import { COMPANY, draft, PostingsWorld } from "./testing/postings-world.js";
import { StubFiles, StubTexts } from "./testing/stub-analysts.js";

describe("analyzing stored postings again", () => {
  let world: PostingsWorld;
  let texts: StubTexts;
  let files: StubFiles;
  let reanalyses: ReanalysisAdministration;
  let running: Stoppable[];
  beforeEach(async () => {
    world = await PostingsWorld.open();
    [texts, files, running] = [new StubTexts(), new StubFiles(), []];
    reanalyses = await administerReanalyses(world);
  });
  afterEach(async () => {
    await stop();
    await world.close();
  });

  const start = (): void => {
    const { store, queue, collections, metrics, log, now } = world;
    running.push(analysisJobs({ store, queue, collections, texts, files, metrics, log, now, checkMs: 5 }).start());
  };
  const stop = async (): Promise<void> => {
    await Promise.all(running.splice(0).map((each) => each.stop(1_000)));
  };

  /** Waits until nothing is left, moving the clock while nothing is in work. */
  const untilDone = async () => {
    await expect
      .poll(async () => {
        if ((await world.queue.depth("insight.analyse")) === 0) world.time += 1_000;
        const works = await world.collections.work.count({});
        return works + (await world.collections.reanalyses.count({ finishedAt: null }));
      })
      .toBe(0);
  };

  const analyzed = async (drafts: Parameters<typeof world.save>[1], query: Partial<InsightRecord["query"]> = {}) => {
    const insight = await world.insight({ query: { ...world.query, ...query } });
    await world.save(insight, drafts);
    start();
    await untilDone();
    texts.calls.length = 0;
    return insight;
  };

  /** From now on there is another model, whose results differ. */
  const updateModels = (): void => {
    texts.version = "2";
    texts.resultsOf = (text) => ({ intention: { value: `new intention of ${text}`, prob: 0.7 } });
  };

  const drafts = (count: number) => Array.from({ length: count }, (_, number) => draft(number));
  const analyzedTexts = () => texts.calls.flatMap((call) => call.texts).filter((text) => text.includes("number"));
  const intentionsOf = async (insight: InsightRecord) =>
    (await world.stored(insight)).map(({ intention }) => intention?.replace(/ of .*/, ""));

  it("leaves out what the present models have analyzed, and does the rest once", async () => {
    const insight = await analyzed(drafts(40));
    await stop();
    updateModels();
    start();
    await world.save(insight, [draft(100)]);
    await untilDone();
    texts.calls.length = 0;
    expect(await reanalyses.begin({ insightId: insight.id })).toMatchObject([{ status: "running", postings: 41 }]);
    await untilDone();
    expect(analyzedTexts()).toHaveLength(40);
    expect(new Set(await intentionsOf(insight))).toEqual(new Set(["new intention"]));
    expect(await reanalyses.read({ insightId: insight.id })).toMatchObject([{ status: "done", seen: 41, put: 40 }]);
    texts.calls.length = 0;
    await reanalyses.begin({ insightId: insight.id });
    await untilDone();
    expect(analyzedTexts()).toEqual([]);
    expect(await reanalyses.read({ insightId: insight.id })).toMatchObject([{ status: "done", seen: 41, put: 0 }]);
  });

  it("does what says nothing of its models, of all insights of a company", async () => {
    const insights = [await analyzed(drafts(3)), await analyzed(drafts(2))];
    const other = await world.insight({ companyId: COMPANY + 1 });
    await world.collections.postings.updateMany(
      {},
      { set: { intention: "earlier", analysis: { topics: [], labels: [], moreInfo: {} } } },
    );
    const begun = await reanalyses.begin({ companyId: COMPANY });
    expect(begun.map(({ insightId }) => insightId)).toEqual(insights.map(({ id }) => id));
    await untilDone();
    for (const insight of insights) expect(new Set(await intentionsOf(insight))).toEqual(new Set(["intention"]));
    expect(await reanalyses.read({ insightId: other.id })).toMatchObject([{ status: "never asked for" }]);
  });

  it("shows earlier results until the new ones are there, and has these counted", async () => {
    const insight = await analyzed(drafts(5));
    await world.collections.dirtyBuckets.delete({});
    await stop();
    updateModels();
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    texts.before = (some) => (some.some((text) => text.includes("number")) ? gate : undefined);
    await reanalyses.begin({ insightId: insight.id });
    start();
    await expect.poll(() => texts.calls.length).toBeGreaterThan(1);
    expect(new Set(await intentionsOf(insight))).toEqual(new Set(["intention"]));
    const request = create(ListPostingsRequestSchema, { id: BigInt(insight.id) });
    const { postings } = await new PostingLists(world).read(request, {
      companyId: COMPANY,
      signal: new AbortController().signal,
    });
    expect(postings).toHaveLength(5);
    release();
    await untilDone();
    expect(new Set(await intentionsOf(insight))).toEqual(new Set(["new intention"]));
    expect(await world.collections.dirtyBuckets.count({})).toBe(5);
  });

  it("is a few batches at a time, which new postings do not wait for", async () => {
    const insight = await analyzed(drafts(600));
    await stop();
    updateModels();
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    texts.before = (some) => (some.some((text) => text.includes("number")) ? gate : undefined);
    await reanalyses.begin({ insightId: insight.id });
    start();
    await expect.poll(() => world.collections.batches.count({ again: true })).toBe(8);
    await world.save(insight, [draft(1_000, { text: "Posted meanwhile" })]);
    await stop();
    texts.before = () => undefined;
    release();
    start();
    await untilDone();
    const order = texts.calls.slice(1).flatMap((call) => call.texts);
    expect(order.indexOf("Posted meanwhile")).toBeLessThan(14 * 32);
    expect(new Set(await intentionsOf(insight))).toEqual(new Set(["new intention"]));
    expect((await reanalyses.read({ insightId: insight.id }))[0]?.put).toBe(600);
  });

  it("continues although other postings wait all the time", async () => {
    const insight = await analyzed(drafts(64));
    await stop();
    updateModels();
    // Nobody takes it.
    const batch = { id: "9:waits", companyId: 9, preview: false, postings: [], since: 0, dueAt: null, attempts: 0 };
    await world.collections.batches.insert(batch);
    await reanalyses.begin({ insightId: insight.id });
    start();
    await untilDone();
    expect(new Set(await intentionsOf(insight))).toEqual(new Set(["new intention"]));
  });

  it("does not look at pictures again, and keeps what was seen in them", async () => {
    const media = ["https://example.com/a.png", "https://example.com/gone.png"];
    const insight = await analyzed([draft(1, { media })], { dimensions: ["textual", "visual"] });
    files.requests.length = 0;
    const [before] = await world.stored(insight);
    updateModels();
    await stop();
    start();
    await reanalyses.begin({ insightId: insight.id });
    await untilDone();
    const [after] = await world.stored(insight);
    expect(files.requests).toEqual([]);
    expect(after?.intention).toMatch(/^new intention/);
    expect(after?.analysis?.labels).toEqual(before?.analysis?.labels);
    expect(after?.analysis?.moreInfo.errors).toEqual({ "https://example.com/gone.png": "The site did not answer." });
  });

  it("keeps the results of a posting whose sound is gone", async () => {
    const media = ["https://example.com/a.mp4"];
    const insight = await analyzed([draft(1, { media }), draft(2)], { dimensions: ["textual", "audial"] });
    const [before] = await world.stored(insight);
    updateModels();
    await stop();
    files.analyze = () => Promise.reject(new Error("away"));
    start();
    await reanalyses.begin({ insightId: insight.id });
    await expect
      .poll(async () => {
        world.time += 60_000;
        return world.collections.reanalyses.count({ finishedAt: null });
      })
      .toBe(0);
    const [after, written] = await world.stored(insight);
    expect(after).toEqual(before);
    expect(written?.intention).toMatch(/^new intention/);
  });

  it("is not begun again while it runs, and ends with its insight", async () => {
    const insight = await analyzed(drafts(3));
    await stop();
    const [first] = await reanalyses.begin({ insightId: insight.id });
    world.time += 5_000;
    expect(await reanalyses.begin({ insightId: insight.id })).toEqual([first]);
    await world.collections.insights.update({ id: insight.id }, { set: { status: "deleted" } });
    await expect(reanalyses.begin({ insightId: insight.id })).rejects.toMatchObject({ kind: "not-found" });
    expect(await eraseInsight(world, insight, () => Promise.resolve(true))).toBe(true);
    expect(await world.collections.reanalyses.count({})).toBe(0);
  });
});
