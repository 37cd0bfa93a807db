import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import {
  CountPostingsRequestSchema,
  LookUpInsightsRequestSchema,
  StreamPostingsRequestSchema,
} from "@hourglass/proto/insight/v1/insight_service";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { InsightRecord } from "../store/records.js";
import { COMPANY, draft, PostingsWorld } from "./testing/postings-world.js";
import { PostingStreams } from "./stream.js";

describe("streaming postings", () => {
  let world: PostingsWorld;
  beforeEach(async () => {
    world = await PostingsWorld.open();
  });
  afterEach(() => world.close());

  const lookUp = (insights: readonly InsightRecord[], companyId = COMPANY) =>
    new PostingStreams(world.collections).lookUp(
      create(LookUpInsightsRequestSchema, { ids: insights.map(({ id }) => BigInt(id)) }),
      companyId,
    );

  const begin = async (insights: readonly InsightRecord[], [from, to]: readonly [number, number]) => {
    const request = create(StreamPostingsRequestSchema, {
      insights: (await lookUp(insights)).insights,
      start: timestampFromMs(draft(from).postedAt),
      end: timestampFromMs(draft(to).postedAt),
    });
    return new PostingStreams(world.collections).read(request, { companyId: COMPANY, isService: true });
  };

  const idsOf = async (stream: Awaited<ReturnType<typeof begin>>) => {
    const ids: (string | undefined)[] = [];
    for await (const { postings } of stream) ids.push(...postings.map(({ socialId }) => socialId));
    return ids;
  };

  it("merges searches by time of posting, over a half-open span", async () => {
    const insights = await Promise.all([world.insight(), world.insight(), world.insight()]);
    for (const [index, insight] of insights.entries()) {
      await world.save(
        insight,
        [0, 3, 6, 9].map((number) => draft(number + index)),
      );
    }
    expect(await idsOf(await begin(insights, [1, 8]))).toEqual(["s1", "s2", "s3", "s4", "s5", "s6", "s7"]);
  });

  it("orders postings of one time by their ids on the platform, whichever search found them", async () => {
    const [one, other] = [await world.insight(), await world.insight()];
    const tied = (ids: readonly string[]) => ids.map((socialId) => draft(1, { socialId }));
    await world.save(one, tied(["9", "\u{1f985}", "a"]));
    await world.save(other, tied(["\uffee", "b", "10", "A"]));
    const { postedAt, text = "" } = draft(1);
    await world.save(other, [{ postedAt, text }]);
    const stream = await begin([one, other], [1, 2]);
    expect(await idsOf(stream)).toEqual([undefined, "10", "9", "A", "a", "b", "\uffee", "\u{1f985}"]);
  });

  it("leaves out what was stored after the watermark was read", async () => {
    const insight = await world.insight();
    await world.save(insight, [draft(1), draft(3)]);
    const stream = await begin([insight], [0, 9]);
    await world.save(insight, [draft(2), draft(4)]);
    expect(await idsOf(stream)).toEqual(["s1", "s3"]);
  });

  it("streams more postings than it holds at a time, in slices", async () => {
    const insights = await Promise.all([world.insight(), world.insight()]);
    for (const insight of insights) {
      await world.save(
        insight,
        Array.from({ length: 700 }, (_, number) => draft(number)),
      );
    }
    const slices: number[] = [];
    for await (const { postings } of await begin(insights, [0, 700])) slices.push(postings.length);
    expect(slices).toEqual([200, 200, 200, 200, 200, 200, 200]);
  });

  it("fails if a search is deleted meanwhile, instead of ending early", async () => {
    const insight = await world.insight();
    await world.save(insight, [draft(1)]);
    const stream = await begin([insight], [0, 9]);
    const read = (async () => {
      for await (const { postings } of stream) {
        expect(postings).toHaveLength(1);
        await world.collections.insights.update({ id: insight.id }, { set: { status: "deleted" } });
      }
    })();
    await expect(read).rejects.toMatchObject({ kind: "not-found" });
  });

  it("looks up watermarks in the order of the request and leaves out other companies' searches", async () => {
    const [one, other] = [await world.insight(), await world.insight()];
    const foreign = await world.insight({ companyId: COMPANY + 1 });
    await world.save(other, [draft(1)]);
    expect((await lookUp([other, foreign, one])).insights).toEqual([
      { id: BigInt(other.id), watermark: 1n, terms: "kestrel" },
      { id: BigInt(one.id), watermark: 0n, terms: "kestrel" },
    ]);
  });
});

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
    return new PostingStreams(world.collections).count(request, companyId);
  };
  const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => draft(from + index));

  it("counts a half-open span over all searches, and what is not analyzed", async () => {
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

  it("does not wait for a posting that is analyzed again", async () => {
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
