import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CollectorWorld, draft, drafts, killedAt, LEASE_MS, PLATFORM } from "./testing/collector-world.js";
import { FakePlatform } from "./testing/fake-platform.js";

describe("a page", () => {
  let world: CollectorWorld;
  let platform: FakePlatform;
  beforeEach(async () => {
    world = await CollectorWorld.open();
    platform = new FakePlatform({ postings: drafts(1, 2, 3) });
    world.platforms.set(PLATFORM, { connector: platform });
  });
  afterEach(() => world.close());
  /** First polls are spread over a second. */
  const pollAll = async (): Promise<void> => {
    world.time += 1000;
    await world.worker().poll();
  };

  it("has what it says is gone erased from all searches of the company for good, and stores the rest", async () => {
    const [insight, other] = [await world.insight(), await world.insight()];
    platform.then({ postings: drafts(1, 2, 3) });
    await pollAll();
    world.time += LEASE_MS;
    platform.then({ gone: ["s1", "s2", "unknown"], postings: drafts(4) });
    await world.worker().pollNext();
    expect([...(await world.stored(insight)), ...(await world.stored(other))].sort()).toEqual(["s3", "s3", "s4"]);
    expect(await world.collections.erasures.find({})).toEqual([]);
    platform.then({ postings: drafts(1) }, { postings: drafts(1) });
    await world.worker().pollNext();
    await world.worker().pollNext();
    expect(await world.stored(insight)).not.toContain("s1");
  });

  it("does not store what it says is gone, also for a preview", async () => {
    const [insight, preview] = [await world.insight(), await world.insight({}, { sneakPeek: true })];
    const page = { postings: [draft(8), draft(9)], gone: ["s8"] };
    platform = new FakePlatform(page, page);
    world.platforms.set(PLATFORM, { connector: platform });
    await pollAll();
    expect([await world.stored(insight), await world.stored(preview)]).toEqual([["s9"], ["s9"]]);
  });

  it.each(["collector.before_commit", "collector.after_commit"] as const)(
    "has what is gone erased although the process is killed at %s",
    async (point) => {
      const insight = await world.insight();
      await world.worker().pollNext();
      platform.then({ gone: ["s1"] }, { gone: ["s1"] });
      await world
        .worker(killedAt(point))
        .pollNext()
        .catch(() => undefined);
      world.time += LEASE_MS + 1;
      await world.worker().pollNext();
      expect(await world.stored(insight)).toEqual(["s2", "s3"]);
    },
  );

  it("leaves the postings of other companies to their own searches", async () => {
    const [insight, foreign] = [await world.insight(), await world.insight({ companyId: 8 })];
    platform.then({ postings: drafts(1, 2, 3) });
    await pollAll();
    const { companyId } = insight;
    await world.eraseGone({ companyId, platform: PLATFORM, socialIds: ["s1"] });
    expect(await world.stored(insight)).toEqual(["s2", "s3"]);
    expect(await world.stored(foreign)).toEqual(["s1", "s2", "s3"]);
  });

  it("leaves to the platform what may be passed on: its postings say if it is their ids only", async () => {
    const insight = await world.insight();
    await world.worker().pollNext();
    const infos = async () => {
      const stored = await world.collections.postings.find({ insightId: insight.id }, { sort: [["postedAt", 1]] });
      return stored.map(({ content }) => content.moreInfo?.["ids_only"]);
    };
    expect(await infos()).toEqual([undefined, undefined, undefined]);
    platform.idsOnly = true;
    platform.then({ postings: drafts(3, 4) });
    await world.worker().pollNext();
    expect(await infos()).toEqual([undefined, undefined, true, true]);
  });
});
