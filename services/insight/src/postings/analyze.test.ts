import type { Measurements, Stoppable } from "@hourglass/runtime";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { InsightRecord } from "../store/records.js";
import { COMPANY, draft, PostingsWorld } from "./testing/postings-world.js";
import { AnalysisBatches } from "./batches.js";
import { StubFiles, StubTexts } from "./testing/stub-analysts.js";
import { analysisJobs, measureBacklog } from "./analyze.js";

describe("analyzing postings", () => {
  let world: PostingsWorld;
  let texts: StubTexts;
  let files: StubFiles;
  let running: Stoppable[];
  beforeEach(async () => {
    world = await PostingsWorld.open();
    [texts, files, running] = [new StubTexts(), new StubFiles(), []];
  });
  afterEach(async () => {
    await Promise.all(running.map((each) => each.stop(1_000)));
    await world.close();
  });

  const start = (): Stoppable => {
    const { store, queue, collections, metrics, log, now } = world;
    const started = analysisJobs({ store, queue, collections, texts, files, metrics, log, now, checkMs: 5 }).start();
    running.push(started);
    return started;
  };

  const withDimensions = (...dimensions: InsightRecord["query"]["dimensions"]) =>
    world.insight({ query: { ...world.query, dimensions } });

  /** Waits until no analysis and no batch is left, moving the clock to retries while nothing is in work. */
  const untilDone = async () => {
    await expect
      .poll(async () => {
        if ((await world.queue.depth("insight.analyse")) === 0) world.time += 10_000;
        return [await world.collections.work.count({}), await world.collections.batches.count({})];
      })
      .toEqual([0, 0]);
  };

  it("analyzes the text for the textual dimension and then lists the posting", async () => {
    const insight = await withDimensions("textual");
    await world.save(insight, [draft(1, { text: "Kestrel above Leeds" })]);
    start();
    await untilDone();
    expect((await world.stored(insight))[0]).toMatchObject({
      listedAt: draft(1).postedAt,
      sentiment: "sentiment-real of Kestrel above Leeds",
      intention: "intention of Kestrel above Leeds",
      analysis: {
        topics: ["Kestrel", "Leeds"],
        labels: [],
        moreInfo: {
          spam: { prob: 0.5 },
          sentiment_simple: { value: "sentiment-simple of Kestrel above Leeds", prob: 0.5 },
          emotion: { value: "sentiment-real of Kestrel above Leeds", prob: 0.5 },
          intention_prob: 0.5,
        },
      },
    });
    expect(texts.calls[0]).toMatchObject({ owner: COMPANY, background: true });
  });

  it("states no sentiment without evidence of an emotion, but which one would be the likeliest", async () => {
    const insight = await withDimensions("textual");
    await world.save(insight, [draft(1, { text: "Plain news" })]);
    texts.resultsOf = () => ({ "sentiment-simple": { value: "neutral", prob: 0.8 } });
    start();
    await untilDone();
    expect((await world.stored(insight))[0]).toMatchObject({
      sentiment: null,
      intention: "intention of Plain news",
      analysis: {
        moreInfo: {
          sentiment_simple: { value: "neutral", prob: 0.8 },
          emotion: { value: "sentiment-real of Plain news", prob: 0.5 },
        },
      },
    });
  });

  it("tells how many postings wait, and for how long", async () => {
    const gauges = new Map<string, () => Promise<unknown>>();
    const gauge = (name: string, _help: string, read: () => Promise<unknown>) => void gauges.set(name, read);
    await world.save(await withDimensions("textual"), [draft(1), draft(2), draft(3)]);
    world.time += 5_000;
    const metrics: Measurements = { ...world.metrics, gauge };
    const { store, collections, now } = world;
    measureBacklog({ store, collections, now, metrics });
    const readings = Promise.all([...gauges].map(async ([name, read]) => [name, await read()]));
    expect(Object.fromEntries(await readings)).toEqual({
      hourglass_postings_waiting: 3,
      hourglass_postings_oldest_waiting_seconds: 5,
    });
  });

  it("joins the text and what is spoken for the textual and the audial dimension together", async () => {
    const media = ["https://example.com/a.mp4"];
    const both = await withDimensions("textual", "audial");
    const audial = await withDimensions("audial");
    await world.save(both, [draft(1, { text: "written", media })]);
    await world.save(audial, [draft(1, { text: "written", media }), draft(2, { text: "written" })]);
    start();
    await untilDone();
    expect((await world.stored(both))[0]?.intention).toBe(`intention of written\nspoken in ${media[0] ?? ""}`);
    const [spoken, silent] = await world.stored(audial);
    expect(spoken?.intention).toBe(`intention of spoken in ${media[0] ?? ""}`);
    expect(silent).toMatchObject({ intention: null, sentiment: null, listedAt: draft(2).postedAt });
  });

  it("looks at media for the visual dimension, at faces on no picture of twitter", async () => {
    const insight = await withDimensions("visual");
    const media = ["https://example.com/a.png"];
    await world.save(insight, [draft(1, { media })]);
    await world.save(insight, [draft(2, { media })], { platform: "news" });
    start();
    await untilDone();
    const [twitter, news] = await world.stored(insight);
    expect(twitter?.analysis?.labels).toEqual(["object-id seen", "activity-id seen", "logo-id seen"]);
    expect(news?.analysis?.labels).toContain("face-id seen");
    expect(news).toMatchObject({ sentiment: null, intention: null });
    expect(texts.calls).toEqual([]);
  });

  it("detects the language of a text with at least 20 letters if the platform states none", async () => {
    const insight = await withDimensions("visual");
    const german = "Der Turmfalke steht heute wieder über der Wiese und sucht nach Mäusen.";
    await world.save(insight, [
      draft(1, { text: german }),
      draft(2, { text: "Turmfalke" }),
      draft(3, { language: "pl" }),
    ]);
    start();
    await untilDone();
    expect((await world.stored(insight)).map(({ language }) => language)).toEqual(["de", null, "pl"]);
  });

  it("analyzes a long text up to 20,000 characters and says so", async () => {
    const insight = await withDimensions("textual");
    await world.save(insight, [draft(1, { text: "x".repeat(20_001) })]);
    start();
    await untilDone();
    expect(texts.calls[0]?.texts[0]).toHaveLength(20_000);
    expect((await world.stored(insight))[0]?.analysis?.moreInfo).toMatchObject({ text_analysed_to: 20_000 });
  });

  it("discards the results for a text that was edited meanwhile, and analyzes the new one", async () => {
    const insight = await withDimensions("textual");
    await world.save(insight, [draft(1, { text: "old" })]);
    texts.before = async ([text]) => {
      if (text === "old") await world.save(insight, [draft(1, { text: "new" })]);
    };
    start();
    await untilDone();
    expect((await world.stored(insight))[0]).toMatchObject({ version: 2, intention: "intention of new" });
  });

  it("gives up what fails again and again, lists it, and says what failed", async () => {
    const insight = await withDimensions("textual", "visual");
    const media = ["https://example.com/gone.png", "https://example.com/b.png"];
    await world.save(insight, [draft(1, { text: "POISON" }), draft(2, { media }), draft(3)]);
    start();
    await untilDone();
    const [poisoned, mediaGone, sound] = await world.stored(insight);
    expect(poisoned).toMatchObject({ intention: null, listedAt: draft(1).postedAt });
    expect(poisoned?.analysis?.moreInfo.errors).toMatchObject({ intention: expect.any(String) as string });
    expect(mediaGone?.analysis).toMatchObject({
      labels: ["object-id seen", "activity-id seen", "logo-id seen"],
      moreInfo: { errors: { "https://example.com/gone.png": "The site did not answer." } },
    });
    expect(sound?.analysis?.moreInfo.errors).toBeUndefined();
    expect(texts.calls.filter((call) => call.texts.includes("POISON"))).toHaveLength(4);
  });

  it("lists a posting whose media cannot be used after one look at them", async () => {
    const insight = await withDimensions("visual");
    await world.save(insight, [draft(1, { media: ["https://example.com/gone.png"] })]);
    start();
    await untilDone();
    const [posting] = await world.stored(insight);
    expect(posting?.analysis?.moreInfo.errors).toEqual({
      "https://example.com/gone.png": "The site did not answer.",
    });
    expect(files.requests).toHaveLength(1);
  });

  it("lists a posting after one look if only a part of its media cannot be analyzed, and says which", async () => {
    const insight = await withDimensions("audial", "visual");
    await world.save(insight, [draft(1, { media: ["https://example.com/unheard.mp4"] })]);
    start();
    await untilDone();
    const [posting] = await world.stored(insight);
    expect(posting?.analysis).toMatchObject({
      labels: expect.arrayContaining(["object-id seen"]) as string[],
      moreInfo: { errors: { "https://example.com/unheard.mp4": "transcript: The model is not here." } },
    });
    expect(files.requests).toHaveLength(1);
  });

  it("gives up a posting that fails on our side each time, without losing those beside it", async () => {
    const insight = await withDimensions("textual");
    await world.save(insight, [draft(1, { text: "bug" }), draft(2)]);
    texts.before = (batch) => {
      if (batch.includes("bug")) throw new Error("a bug");
    };
    start();
    await untilDone();
    const [bad, good] = await world.stored(insight);
    expect(bad?.analysis?.moreInfo.errors).toBeDefined();
    expect(good?.intention).toContain("number 2");
  });

  it("analyzes previews first, and companies round-robin", async () => {
    const big = await world.insight({ companyId: 1 });
    const small = await world.insight({ companyId: 2 });
    await world.save(
      big,
      Array.from({ length: 300 }, (_, number) => draft(number)),
    );
    await world.save(small, [draft(1, { text: "small" })]);
    await world.save(big, [draft(1_000, { text: "preview" })], { preview: true });
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    texts.before = () => gate;
    start();
    await expect.poll(() => texts.calls.length).toBeGreaterThanOrEqual(3);
    const first = texts.calls.slice(0, 3).flatMap((call) => call.texts);
    expect(first).toEqual(expect.arrayContaining(["small", "preview"]));
    release();
    await untilDone();
  });

  it("leaves the work of a stopped worker to the next one at once", async () => {
    const insight = await withDimensions("textual");
    await world.save(insight, [draft(1)]);
    texts.before = (_, signal) =>
      new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(new Error("stopped"))));
    const first = start();
    await expect.poll(() => texts.calls.length).toBe(1);
    await first.stop(1_000);
    expect(await world.collections.batches.find({})).toMatchObject([{ attempts: 0, dueAt: world.time }]);
    texts.before = () => undefined;
    start();
    await expect.poll(() => world.collections.work.count({})).toBe(0);
  });

  it("analyzes postings one by one once their batch has ended several workers", async () => {
    const insight = await withDimensions("textual");
    await world.save(insight, [draft(1), draft(2), draft(3)]);
    await new AnalysisBatches(world).form();
    await world.collections.batches.updateMany({}, { set: { attempts: 3 } });
    start();
    await untilDone();
    expect(texts.calls.map((call) => call.texts.length)).toEqual([1, 1, 1]);
  });

  it("gives up what has ended its worker too often, and says so in the posting", async () => {
    const insight = await withDimensions("textual");
    await world.save(insight, [draft(1)]);
    await new AnalysisBatches(world).form();
    await world.collections.batches.updateMany({}, { set: { attempts: 5 } });
    start();
    await untilDone();
    expect(texts.calls).toEqual([]);
    const errors = { analysis: expect.stringContaining("too often") as string };
    expect(await world.stored(insight)).toMatchObject([
      { analysis: { moreInfo: { errors } }, listedAt: draft(1).postedAt },
    ]);
  });

  it("shares the work between several workers without doing any twice", async () => {
    const insight = await withDimensions("textual");
    await world.save(
      insight,
      Array.from({ length: 500 }, (_, number) => draft(number)),
    );
    start();
    start();
    await untilDone();
    expect(texts.calls.flatMap((call) => call.texts)).toHaveLength(500);
    expect((await world.stored(insight)).every(({ listedAt }) => listedAt !== null)).toBe(true);
  });

  it("ends the work on a posting that was erased", async () => {
    const insight = await withDimensions("textual");
    await world.save(insight, [draft(1)]);
    await world.collections.postings.delete({ insightId: insight.id });
    start();
    await untilDone();
    expect(texts.calls).toEqual([]);
  });
});
