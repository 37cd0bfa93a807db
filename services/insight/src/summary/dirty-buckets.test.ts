import { create } from "@bufbuild/protobuf";
import { ErasePostingsRequestSchema } from "@hourglass/proto/insight/v1/insight_service";
import { Platform } from "@hourglass/proto/insight/v1/platform";
import { deleteStep } from "@hourglass/runtime";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { endWork } from "../postings/analyze.js";
import { noResults } from "../postings/content-analysis.js";
import { PostingErasures } from "../postings/erase.js";
import { COMPANY, draft, PostingsWorld } from "../postings/testing/postings-world.js";

const HOUR_MS = 3_600_000;

describe("dirty hours", () => {
  let world: PostingsWorld;
  beforeEach(async () => {
    world = await PostingsWorld.open();
  });
  afterEach(() => world.close());

  /** The hours of the drafts of `draft` that are dirty, by the numbers of those drafts; they are removed. */
  async function takeDirty(): Promise<number[]> {
    const { dirtyBuckets } = world.collections;
    const dirty = await dirtyBuckets.find({}, { sort: [["start", 1]] });
    await world.store.commit([deleteStep(dirtyBuckets, {})]);
    return dirty.map(({ start }) => (start - draft(0).postedAt) / HOUR_MS);
  }

  it("come with the end of an analysis, not before", async () => {
    const insight = await world.insight();
    await world.save(insight, [draft(1), draft(2)]);
    expect(await takeDirty()).toEqual([]);
    const [posting] = await world.stored(insight);
    const [work] = await world.collections.work.find({ id: posting?.id ?? "" });
    if (posting === undefined || work === undefined) throw new Error("nothing was stored");
    await endWork(world, "holder", [{ work, posting, insight, results: noResults() }]);
    expect(await takeDirty()).toEqual([1]);
  });

  it("come with later counts and texts, and not with what is only seen again", async () => {
    const insight = await world.insight();
    await world.save(insight, [draft(1), draft(2), draft(3)]);
    world.time += 2 * HOUR_MS;
    await world.save(insight, [draft(1), draft(2, { counts: { like_count: 5 } }), draft(3, { text: "Edited." })]);
    expect(await takeDirty()).toEqual([2, 3]);
  });

  it("come with an erasure, also of what a concurrent analysis lists", async () => {
    const insight = await world.insight();
    await world.save(insight, [draft(1), draft(2)]);
    const request = create(ErasePostingsRequestSchema, { platform: Platform.TWITTER, socialId: "s2" });
    await new PostingErasures(world).erase(request, COMPANY);
    expect(await takeDirty()).toEqual([2]);
  });

  it("differ with each change, so that a recount notices that an hour has changed again", async () => {
    const insight = await world.insight();
    await world.save(insight, [draft(1)]);
    const tokens = new Set<string>();
    for (const likes of [1, 2]) {
      await world.save(insight, [draft(1, { counts: { like_count: likes } })]);
      const [dirty] = await world.collections.dirtyBuckets.find({});
      tokens.add(dirty?.token ?? "");
    }
    expect(tokens.size).toBe(2);
  });
});
