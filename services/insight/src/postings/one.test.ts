import { create } from "@bufbuild/protobuf";
import { GetPostingRequestSchema } from "@hourglass/proto/insight/v1/insight_service";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { InsightRecord } from "../store/records.js";
import { postingKeyOf } from "./merge.js";
import { PostingReads } from "./one.js";
import { COMPANY, draft, PostingsWorld } from "./testing/postings-world.js";
import { StubTexts } from "./testing/stub-analysts.js";

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
  const read = (key: string, { explain = false, companyId = COMPANY } = {}) =>
    new PostingReads({ collections: world.collections, texts }).read(
      create(GetPostingRequestSchema, { id: BigInt(insight.id), key, explain }),
      { companyId, signal },
    );

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

  it("tells what the models of now find, and says what to do where there are none", async () => {
    await world.save(insight, [draft(1), draft(2, { text: " " }), draft(3, { text: "POISON" })]);
    const [key = "", blank = "", failing = ""] = (await world.stored(insight)).map(postingKeyOf);
    texts.version = "7";
    const { analyses } = await read(key, { explain: true });
    expect(analyses).toHaveLength(5);
    expect(analyses?.[0]).toMatchObject({ data: { case: "classification" }, model: { id: "stub", version: "7" } });
    expect((await read(blank, { explain: true })).analyses).toEqual([]);
    expect((await read(failing, { explain: true })).analyses).toEqual([]);
    const reads = new PostingReads({ collections: world.collections, texts: undefined });
    const request = create(GetPostingRequestSchema, { id: BigInt(insight.id), key, explain: true });
    await expect(reads.read(request, { companyId: COMPANY, signal })).rejects.toMatchObject({
      kind: "unavailable",
      code: "explain_unavailable",
    });
  });
});
