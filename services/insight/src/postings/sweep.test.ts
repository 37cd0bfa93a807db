import type { Stoppable } from "@hourglass/runtime";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { newSearch } from "../collector/searches.js";
import { Insights } from "../insights.js";
import type { InsightRecord, SearchRecord } from "../store/records.js";
import { COMPANY, draft, PostingsWorld } from "./testing/postings-world.js";
import { PostingStore } from "./store.js";
import { type SweepDeps, sweepJobs } from "./sweep.js";

const DAY_MS = 86_400_000;

describe("the sweeper", () => {
  let world: PostingsWorld;
  let running: Stoppable[];
  beforeEach(async () => {
    world = await PostingsWorld.open();
    running = [];
  });
  afterEach(async () => {
    await Promise.all(running.map((each) => each.stop(1_000)));
    await world.close();
  });

  const start = (deps: Partial<SweepDeps> = {}) => {
    running.push(sweepJobs({ ...world.sweeping, everyMs: 5, ...deps }).start());
  };

  const preview = async (...outcomes: SearchRecord["outcome"][]): Promise<InsightRecord> => {
    const insight = await world.insight({ query: { ...world.query, sneakPeek: true }, dueAt: world.time });
    for (const [index, outcome] of outcomes.entries()) {
      const search = newSearch(insight, String(index), { now: world.time });
      await world.collections.searches.insert({ ...search, outcome, dueAt: null });
    }
    return insight;
  };

  /** Waits until the sweeper has looked at the insight again, or no longer does. */
  const status = async ({ id }: InsightRecord) => (await world.collections.insights.get(id))?.status;

  it("erases a deleted insight with its postings, their work and its searches, and nothing else", async () => {
    const [insight, other] = [await preview("answered"), await world.insight()];
    for (const each of [insight, other]) {
      await world.save(
        each,
        Array.from({ length: 600 }, (_, number) => draft(number)),
      );
    }
    await world.collections.insights.update({ id: insight.id }, { set: { status: "deleted", dueAt: world.time } });
    start();
    await expect.poll(() => world.collections.insights.get(insight.id)).toBeUndefined();
    expect(await world.stored(insight)).toEqual([]);
    expect(await world.collections.work.count({ insightId: insight.id })).toBe(0);
    expect(await world.collections.searches.count({ insightId: insight.id })).toBe(0);
    expect(await world.stored(other)).toHaveLength(600);
  });

  it("completes a preview once its searches have ended and its postings are analyzed", async () => {
    const insight = await preview("answered", "failed");
    await world.save(insight, [draft(1)], { preview: true });
    const waiting = await preview("answered", null);
    start();
    await world.endAnalyses(insight);
    await expect
      .poll(async () => {
        world.time += 10;
        return status(insight);
      })
      .toBe("completed");
    expect(await world.collections.insights.get(insight.id)).toMatchObject({ dueAt: null, error: null });
    expect(await status(waiting)).toBe("running");
  });

  it("does not end a preview whose postings wait for their analysis", async () => {
    const insight = await preview("answered");
    const ended = await preview("answered");
    await world.save(insight, [draft(1)], { preview: true });
    start();
    await expect.poll(() => status(ended)).toBe("completed");
    expect(await status(insight)).toBe("running");
  });

  it("fails a preview that no platform answered, with a sentence for its owner", async () => {
    const insight = await preview("failed", "failed");
    start();
    await expect.poll(() => status(insight)).toBe("failed");
    const record = await world.collections.insights.get(insight.id);
    expect(record).toMatchObject({ finishedAt: world.time, error: expect.stringMatching(/\.$/) as string });
  });

  it("leaves a paused preview alone, and ends it once it is resumed", async () => {
    const insight = await preview("failed");
    const { store, collections, now } = world;
    const insights = new Insights({ store, collections, now, platforms: new Map() });
    await insights.pause(insight.id, COMPANY);
    start();
    await expect.poll(async () => (await world.collections.insights.get(insight.id))?.dueAt).toBeNull();
    expect(await status(insight)).toBe("paused");
    await insights.resume(insight.id, COMPANY);
    await expect.poll(() => status(insight)).toBe("failed");
  });

  it("removes postings not seen for longer than their platform allows, and keeps those of others", async () => {
    const query = { ...world.query, platforms: ["twitter", "news"] };
    const insight = await world.insight({ query });
    const ahead = world.time + 400 * DAY_MS;
    await world.save(insight, [draft(1), draft(2), draft(3, { postedAt: ahead })]);
    await world.save(insight, [draft(4)], { platform: "news" });
    world.time += 20 * DAY_MS;
    await world.save(insight, [draft(2)]);
    world.time += 20 * DAY_MS;
    start({ retentionDays: { twitter: 30 } });
    await expect.poll(async () => (await world.stored(insight)).map(({ socialId }) => socialId)).toEqual(["s2", "s4"]);
    expect(await world.collections.insights.get(insight.id)).toMatchObject({ postings: 2 });
  });

  it("removes postings of platforms that the query named before", async () => {
    const query = { ...world.query, platforms: ["news"] };
    const insight = await world.insight({ query, formerPlatforms: ["twitter"] });
    await world.save(insight, [draft(1)]);
    world.time += 40 * DAY_MS;
    start({ retentionDays: { twitter: 30 } });
    await expect.poll(() => world.stored(insight)).toEqual([]);
  });

  it("ends a preview although a platform that it does not name any more has not answered", async () => {
    const insight = await preview("answered", null);
    await world.collections.searches.update({ insightId: insight.id, outcome: null }, { set: { leftAt: world.time } });
    start();
    await expect.poll(() => status(insight)).toBe("completed");
  });

  it("keeps what YouTube still had when it was asked again, and removes others although they are there", async () => {
    const platforms = ["youtube-videos", "twitter"];
    const insight = await world.insight({ query: { ...world.query, platforms } });
    for (const platform of platforms) await world.save(insight, [draft(1), draft(2)], { platform });
    world.time += 20 * DAY_MS;
    const postingStore = new PostingStore(world);
    for (const platform of platforms)
      await postingStore.refreshFound({ companyId: COMPANY, platform, drafts: [draft(1)] });
    world.time += 20 * DAY_MS;
    start({ retentionDays: { "youtube-videos": 30, twitter: 30 } });
    const left = async () => (await world.stored(insight)).map(({ platform, socialId }) => [platform, socialId]);
    await expect.poll(left).toEqual([["youtube-videos", "s1"]]);
  });
});
