import { create } from "@bufbuild/protobuf";
import { GetPostingRequestSchema } from "@hourglass/proto/insight/v1/insight_service";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { InsightRecord } from "../store/records.js";
import { postingKeyOf } from "./merge.js";
import { analysisJobs } from "./analyze.js";
import { Explanations } from "./explanations.js";
import { PostingReads } from "./one.js";
import { COMPANY, draft, PostingsWorld } from "./testing/postings-world.js";
import { StubFiles, StubTexts } from "./testing/stub-analysts.js";

describe("reading one posting", () => {
  let world: PostingsWorld;
  let insight: InsightRecord;
  beforeEach(async () => {
    world = await PostingsWorld.open();
    insight = await world.insight();
  });
  afterEach(() => world.close());

  const texts = new StubTexts();
  const signal = new AbortController().signal;
  const readsBy = (explanations: Partial<ConstructorParameters<typeof Explanations>[0]>) => {
    const { collections, now } = world;
    const asking = { requests: collections.explanations, texts: undefined, now, wake: () => undefined };
    return new PostingReads({ collections, explanations: new Explanations({ ...asking, ...explanations }) });
  };
  const requestOf = (key: string, explain = true) =>
    create(GetPostingRequestSchema, { id: BigInt(insight.id), key, explain });
  const read = (key: string, { explain = false, companyId = COMPANY } = {}) =>
    readsBy({ texts }).read(requestOf(key, explain), { companyId, signal });

  it("finds each by its key, whatever hyphens the platform has", async () => {
    const drafts = Array.from({ length: 30 }, (_, number) => draft(number));
    await world.save(insight, drafts.slice(0, 15), { platform: "youtube-videos" });
    await world.save(insight, drafts.slice(15), { platform: "news" });
    for (const record of await world.stored(insight)) {
      expect(await read(postingKeyOf(record))).toMatchObject({ posting: { id: record.id } });
    }
  });

  it.each(["news-0000000000000000000000", "news", "news-", "", "%", "7:news:0000000000000000000000"])(
    "finds none by the key %j",
    async (key) => {
      await expect(read(key)).rejects.toMatchObject({ kind: "not-found", code: "posting_not_found" });
    },
  );

  it("finds none of another company", async () => {
    await world.save(insight, [draft(1)]);
    const [record] = await world.stored(insight);
    const call = read(postingKeyOf(record!), { companyId: COMPANY + 1 });
    await expect(call).rejects.toMatchObject({ code: "insight_not_found" });
  });

  it("tells what the models of now find", async () => {
    await world.save(insight, [draft(1), draft(2, { text: " " }), draft(3, { text: "POISON" })]);
    const [key = "", blank = "", failing = ""] = (await world.stored(insight)).map(postingKeyOf);
    texts.version = "7";
    const { analyses } = await read(key, { explain: true });
    expect(analyses).toHaveLength(5);
    expect(analyses?.[0]).toMatchObject({ data: { case: "classification" }, model: { id: "stub", version: "7" } });
    expect((await read(blank, { explain: true })).analyses).toEqual([]);
    expect((await read(failing, { explain: true })).analyses).toEqual([]);
  });

  describe("in a process that analyzes nothing", () => {
    const caller = { companyId: COMPANY, signal };
    let key: string;
    beforeEach(async () => {
      await world.save(insight, [draft(1)]);
      key = postingKeyOf((await world.stored(insight))[0]!);
    });

    it("tells what a worker finds, and leaves nothing of the request", async () => {
      const { store, queue, collections, metrics, log, now } = world;
      const jobs = analysisJobs({ store, queue, collections, texts, files: new StubFiles(), metrics, log, now });
      const running = jobs.start();
      const { analyses } = await readsBy({ wake: () => running.wake() }).read(requestOf(key), caller);
      const own = await read(key, { explain: true });
      expect(analyses).toEqual(own.analyses);
      expect(analyses).toHaveLength(5);
      expect(await collections.explanations.count({})).toBe(0);
      await running.stop(1000);
    });

    it("says what to do if none answers, and leaves nothing of the request", async () => {
      await expect(readsBy({ answerMs: 60 }).read(requestOf(key), caller)).rejects.toMatchObject({
        kind: "unavailable",
        code: "explain_unavailable",
        message: expect.stringContaining("Create an operation with the text") as string,
      });
      expect(await world.collections.explanations.count({})).toBe(0);
    });

    it("has a worker remove what a crash has left of a request", async () => {
      const { store, queue, collections, metrics, log, now } = world;
      const left = { companyId: COMPANY, text: "Left.", askedAt: now() - 61_000, outcome: null, dueAt: now() };
      await collections.explanations.insert({ id: "left", ...left });
      const running = analysisJobs({ store, queue, collections, texts, metrics, log, now, checkMs: 5 }).start();
      await expect.poll(() => collections.explanations.count({})).toBe(0);
      expect(texts.calls.flatMap((call) => call.texts)).not.toContain("Left.");
      await running.stop(1000);
    });
  });
});
