import { AppError } from "@hourglass/runtime";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Insights } from "../insights.js";
import { PlatformError } from "../platforms/connector.js";
import type { PostingDraft } from "../platforms/posting-draft.js";
import { PostingStore } from "../postings/store.js";
import type { InsightRecord, PostingRecord } from "../store/records.js";
import { CollectorWorld, draft, drafts, PLATFORM, Rechecker } from "./testing/collector-world.js";
import { RecheckedPlatform } from "./testing/fake-platform.js";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe("the recheck of stored postings", () => {
  let world: CollectorWorld;
  let platform: RecheckedPlatform;
  let insight: InsightRecord;
  beforeEach(async () => {
    world = await CollectorWorld.open();
    platform = new RecheckedPlatform();
    world.platforms.set(PLATFORM, { connector: platform });
    insight = await world.insight();
  });
  afterEach(() => world.close());

  const save = async (postings: readonly PostingDraft[], { of = insight, imported = false } = {}) => {
    await world.storePostings({ insight: of, platform: PLATFORM, drafts: postings, preview: false, imported });
    for (const each of postings) if (!platform.postings.includes(each)) platform.postings.push(each);
  };
  const remove = (...ids: string[]): void => {
    const left = platform.postings.filter(({ socialId = "" }) => !ids.includes(socialId));
    platform.postings.splice(0, Infinity, ...left);
  };
  const posting = async (socialId: string): Promise<PostingRecord | undefined> => {
    const [found] = await world.collections.postings.find({
      insightId: insight.id,
      companyId: 7,
      platform: PLATFORM,
      socialId,
    });
    return found;
  };

  it("erases what is gone within the term, and leaves what is there", async () => {
    await save(drafts(1, 2, 3, 4, 5));
    remove("s2", "s5");
    await new Rechecker(world).run(DAY);
    expect(await world.stored(insight)).toEqual(["s1", "s3", "s4"]);
  });

  it("goes through postings of platforms that the query named before", async () => {
    await save(drafts(1));
    remove("s1");
    const query = { ...insight.query, platforms: [] };
    await world.collections.insights.update({ id: insight.id }, { set: { query, formerPlatforms: [PLATFORM] } });
    await new Rechecker(world).run(DAY);
    expect(await world.stored(insight)).toEqual([]);
  });

  it("asks for each posting within each term, and not more often than needed", async () => {
    await save(drafts(1, 2, 3));
    await new Rechecker(world).run(10 * DAY);
    const times = platform.asked.filter((id) => id === "s2").length;
    expect(times).toBeGreaterThanOrEqual(10);
    expect(times).toBeLessThan(14);
  });

  it("leaves out what a poll has seen since, and what was imported", async () => {
    await save(drafts(1));
    await save(drafts(2), { imported: true });
    world.time += 0.7 * DAY;
    await save(drafts(1));
    remove("s2");
    await new Rechecker(world).run(0.2 * DAY);
    expect(platform.asked).toEqual([]);
    expect(await world.stored(insight)).toEqual(["s1", "s2"]);
  });

  it("asks for what was imported once a poll has found it", async () => {
    await save(drafts(1), { imported: true });
    await save(drafts(1));
    remove("s1");
    await new Rechecker(world).run(DAY);
    expect(await world.stored(insight)).toEqual([]);
  });

  it("asks once for the copies of a posting in several searches of a company, and refreshes or erases all", async () => {
    const [other, three] = [await world.insight(), drafts(1, 2, 3)];
    for (const of of [insight, other]) await save(three, { of });
    remove("s1");
    platform.postings.splice(0, 1, draft(2, { counts: { like_count: 9 } }));
    await new Rechecker(world).run(DAY);
    expect(platform.asked).toEqual(["s1", "s2", "s3"]);
    expect(await world.stored(other)).toEqual(["s2", "s3"]);
    const copies = await world.collections.postings.find({ companyId: 7, platform: PLATFORM, socialId: "s2" });
    expect(copies.map(({ content }) => content.counts)).toEqual([{ like_count: 9 }, { like_count: 9 }]);
  });

  it("has a changed text analyzed again, also in a paused search", async () => {
    await save([draft(1, { text: "A kestrel", place: { fullName: "Leeds" }, counts: { like_count: 3 } })]);
    await world.collections.work.delete({ insightId: insight.id });
    await new Insights(world).pause(insight.id, 7);
    remove("s1");
    platform.postings.push(draft(1, { text: "A kestrel, edited" }));
    const seenAt = world.time;
    await new Rechecker(world).run(DAY);
    expect(await posting("s1")).toMatchObject({ version: 2, seenAt, content: { text: "A kestrel, edited" } });
    expect((await posting("s1"))?.content.place).toBeUndefined();
    expect((await posting("s1"))?.content.counts).toEqual({ like_count: 3 });
    expect(await world.collections.work.count({ insightId: insight.id })).toBe(1);
  });

  it("keeps what the platform says nothing about, and asks again", async () => {
    await save(drafts(1));
    platform.scripted.push({ found: [], gone: [] }, { found: [], gone: ["s7"] });
    await new Rechecker(world).run(DAY);
    expect(await world.stored(insight)).toEqual(["s1"]);
    expect(platform.lookUps.length).toBeGreaterThan(1);
  });

  it.each(["before an answer", "after an answer", "after refreshing", "after erasing"])(
    "continues where its process died %s, and repeats one question at most",
    async (point) => {
      await save(drafts(1, 2, 3, 4, 5, 6));
      remove("s1", "s4");
      const die = (): Promise<never> => Promise.reject(new AppError("unavailable", "killed"));
      const postingStore = new PostingStore(world);
      const dying = new Rechecker(world, {
        ...(point === "after an answer" && { refreshFound: die }),
        ...(point === "after refreshing" && { refreshFound: (found) => postingStore.refreshFound(found).then(die) }),
        ...(point === "after erasing" && { eraseGone: (gone) => world.eraseGone(gone).then(die) }),
      });
      if (point === "before an answer") platform.before = die;
      await expect(dying.run(DAY)).rejects.toThrow("killed");
      platform.before = undefined;
      await new Rechecker(world).run(4 * HOUR);
      expect(await world.stored(insight)).toEqual(["s2", "s3", "s5", "s6"]);
      expect(platform.asked.length).toBeLessThanOrEqual(6 + platform.rechecks.idsMax);
    },
  );

  it.each([
    ["rejected credentials", new PlatformError("auth", "Renew the token."), HOUR],
    ["a spent budget", new PlatformError("budget", "It is spent.", { retryAt: Date.UTC(2026, 10, 4) }), undefined],
    ["a failure of the platform", new PlatformError("temporary", "It is unavailable."), 2 * 60_000],
  ])("waits after %s, and says why", async (_, error, pause) => {
    await save(drafts(1));
    platform.scripted.push(error);
    const rechecker = new Rechecker(world);
    await rechecker.run(0.8 * DAY);
    const asked = platform.lookUps.length;
    if (pause === undefined) expect(await rechecker.record()).toMatchObject({ dueAt: Date.UTC(2026, 10, 4) });
    else expect(asked).toBe(2);
  });

  it("passes over postings that the platform refuses to be asked for", async () => {
    await save(drafts(1, 2, 3));
    remove("s3");
    for (let count = 0; count < 3; count += 1) platform.scripted.push(new PlatformError("permanent", "No."));
    await new Rechecker(world).run(DAY);
    expect(await world.stored(insight)).toEqual(["s1", "s2"]);
  });

  it("says in the platform's state since when stored postings have not been compared, and why", async () => {
    await save(drafts(1));
    const began = new Date(world.time).toISOString();
    const rechecker = new Rechecker(world);
    await rechecker.run(0);
    world.platforms.set(PLATFORM, { missing: "Set the token." });
    await rechecker.run(2 * DAY);
    const warnings = (await new Insights(world).get(insight.id, 7)).searches.flatMap((search) => search.warnings);
    expect(warnings).toEqual([expect.stringContaining(`since ${began}`)]);
    expect(warnings[0]).toMatch(/Set the token\.$/);
    world.platforms.set(PLATFORM, { connector: platform });
    await rechecker.run(2 * HOUR);
    expect((await new Insights(world).get(insight.id, 7)).searches.flatMap((search) => search.warnings)).toEqual([]);
  });
});
