import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { CountPostingsRequestSchema } from "@hourglass/proto/insight/v1/insight_service";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { InsightRecord } from "../../store/records.js";
import { COMPANY, draft, PostingsWorld } from "../testing/postings-world.js";
import { createCountPostings } from "./count-postings.js";

describe("counting postings", () => {
  let world: PostingsWorld;
  beforeEach(async () => {
    world = await PostingsWorld.open();
  });
  afterEach(() => world.close());

  const count = (
    insights: readonly Pick<InsightRecord, "id">[],
    { watermark = 1_000n, companyId = COMPANY, from = 0, to = 100 } = {},
  ) => {
    const request = create(CountPostingsRequestSchema, {
      insights: insights.map(({ id }) => ({ id: BigInt(id), watermark })),
      start: timestampFromMs(draft(from).postedAt),
      end: timestampFromMs(draft(to).postedAt),
    });
    return createCountPostings(world.collections)(request, companyId);
  };
  const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => draft(from + index));

  it("counts a half-open span over all searches, and what is not analysed", async () => {
    const [one, other] = [await world.insight(), await world.insight()];
    await world.save(one, numbers(0, 10));
    await world.endAnalyses(one);
    await world.save(other, numbers(0, 10));
    expect(await count([one, other], { from: 2, to: 5 })).toEqual({ total: 6n, unanalysed: 3n });
  });

  it("leaves out what was stored after the watermark", async () => {
    const insight = await world.insight();
    await world.save(insight, numbers(0, 10));
    await world.endAnalyses(insight);
    await world.save(insight, numbers(10, 20));
    expect(await count([insight], { watermark: 1n })).toEqual({ total: 10n, unanalysed: 0n });
  });

  it("does not wait for a posting that is analysed again", async () => {
    const insight = await world.insight();
    await world.save(insight, [draft(1)]);
    await world.endAnalyses(insight);
    await world.save(insight, [draft(1, { text: "Edited." })]);
    expect(await world.collections.work.count({})).toBe(1);
    expect(await count([insight])).toEqual({ total: 1n, unanalysed: 0n });
  });

  it("counts postings in slices as at once", async () => {
    const insight = await world.insight();
    await world.save(insight, numbers(0, 90));
    await world.collections.insights.update({ id: insight.id }, { set: { postings: 1_000_000 } });
    expect(await count([insight], { from: 10, to: 80 })).toEqual({ total: 70n, unanalysed: 70n });
  });

  it("does not find other companies' and deleted searches", async () => {
    const [foreign, deleted] = [await world.insight({ companyId: 1 }), await world.insight({ status: "deleted" })];
    await expect(count([foreign])).rejects.toMatchObject({ kind: "not-found" });
    await expect(count([deleted])).rejects.toMatchObject({ kind: "not-found" });
  });
});
