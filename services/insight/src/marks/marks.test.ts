import { deleteStep } from "@hourglass/runtime";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createErasePostings } from "../postings/erasing/erase-postings.js";
import { endWork } from "../postings/analyse/end-work.js";
import { noResults } from "../postings/analyse/posting-results.js";
import { draft, PostingsWorld, COMPANY } from "../postings/testing/postings-world.js";
import { create } from "@bufbuild/protobuf";
import { ErasePostingsRequestSchema } from "@hourglass/proto/insight/v1/insight_service";
import { Platform } from "@hourglass/proto/insight/v1/platform";

const HOUR_MS = 3_600_000;

describe("marks of hours to count", () => {
  let world: PostingsWorld;
  beforeEach(async () => {
    world = await PostingsWorld.open();
  });
  afterEach(() => world.close());

  /** The hours of the drafts of `draft` that are marked, by the numbers of those drafts; the marks are removed. */
  async function takeMarked(): Promise<number[]> {
    const { summaryMarks } = world.collections;
    const marks = await summaryMarks.find({}, { sort: [["start", 1]] });
    await world.store.commit([deleteStep(summaryMarks, {})]);
    return marks.map(({ start }) => (start - draft(0).postedAt) / HOUR_MS);
  }

  it("come with the end of an analysis, not before", async () => {
    const insight = await world.insight();
    await world.save(insight, [draft(1), draft(2)]);
    expect(await takeMarked()).toEqual([]);
    const [posting] = await world.stored(insight);
    const [work] = await world.collections.work.find({ id: posting?.id ?? "" });
    if (posting === undefined || work === undefined) throw new Error("nothing was stored");
    await endWork(world, "holder", [{ work, posting, insight, results: noResults() }]);
    expect(await takeMarked()).toEqual([1]);
  });

  it("come with later counts and texts, and not with what is only seen again", async () => {
    const insight = await world.insight();
    await world.save(insight, [draft(1), draft(2), draft(3)]);
    world.time += 2 * HOUR_MS;
    await world.save(insight, [draft(1), draft(2, { counts: { like_count: 5 } }), draft(3, { text: "Edited." })]);
    expect(await takeMarked()).toEqual([2, 3]);
  });

  it("come with an erasure, also of what a concurrent analysis lists", async () => {
    const insight = await world.insight();
    await world.save(insight, [draft(1), draft(2)]);
    const request = create(ErasePostingsRequestSchema, { platform: Platform.TWITTER, socialId: "s2" });
    await createErasePostings(world)(request, COMPANY);
    expect(await takeMarked()).toEqual([2]);
  });

  it("differ with each change, so that who counts sees that an hour has changed again", async () => {
    const insight = await world.insight();
    await world.save(insight, [draft(1)]);
    const tokens = new Set<string>();
    for (const likes of [1, 2]) {
      await world.save(insight, [draft(1, { counts: { like_count: likes } })]);
      const [mark] = await world.collections.summaryMarks.find({});
      tokens.add(mark?.token ?? "");
    }
    expect(tokens.size).toBe(2);
  });
});
