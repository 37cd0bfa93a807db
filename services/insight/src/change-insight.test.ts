import { AppError, type Store } from "@hourglass/runtime";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { changeInsight, type InsightChange, revisionOfInsight } from "./change-insight.js";
import { CollectorWorld, draft, drafts, PLATFORM } from "./collector/testing/collector-world.js";
import { FakePlatform } from "./collector/testing/fake-platform.js";
import { readCoverage } from "./coverage.js";
import { eraseInsight } from "./postings/erase.js";
import type { InsightRecord } from "./store/records.js";
import { readVersions, VERSIONS_MAX } from "./versions.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const ANN = { userId: 3, keyId: null, name: "Ann" };
const BOB = { userId: 4, keyId: 7, name: "Bob" };

describe("a change of an insight", () => {
  let world: CollectorWorld;
  let platform: FakePlatform;
  beforeEach(async () => {
    world = await CollectorWorld.open();
    platform = new FakePlatform();
    world.platforms.set(PLATFORM, { connector: platform }).set("news", { connector: new FakePlatform() });
  });
  afterEach(() => world.close());

  const change = (
    { id, companyId }: Pick<InsightRecord, "id" | "companyId">,
    wanted: InsightChange,
    store: Pick<Store, "commit"> = world.store,
  ) =>
    changeInsight(
      { store, collections: world.collections, now: world.now, platforms: world.platforms },
      { id, companyId },
      wanted,
    );
  const versionsOf = async (insight: InsightRecord) => readVersions(world.collections, insight);
  const read = async ({ id }: Pick<InsightRecord, "id">): Promise<InsightRecord> =>
    (await world.collections.insights.get(id))!;
  const refusal = (call: Promise<unknown>): Promise<AppError> =>
    call.then(
      () => expect.fail("it was accepted"),
      (error: unknown) => error as AppError,
    );

  /** An insight that has collected posting 1, an hour after its creation. */
  async function collecting(query: Partial<InsightRecord["query"]> = {}): Promise<InsightRecord> {
    platform.then({ postings: drafts(1), cursor: "first" });
    const insight = await world.insight({}, query);
    await world.worker().pollNext();
    world.time += HOUR;
    return insight;
  }

  /** As `hours: completeness reasons`, from `start` until now. */
  async function spans(insight: InsightRecord, start: number, name = PLATFORM): Promise<string[]> {
    const { searches } = world.collections;
    const found = await readCoverage({ searches, now: world.now }, await read(insight), { start, end: world.time });
    return (found.find((each) => each.platform === name)?.spans ?? []).map(({ from, to, completeness, reasons }) =>
      [`${Math.round((to - from) / HOUR)}h`, completeness, ...reasons].join(" "),
    );
  }

  it("of the query is a new version, which names the moment, the user and what was asked before", async () => {
    const insight = await world.insight({ createdBy: ANN });
    world.time += HOUR;
    const changed = await change(insight, { query: { keywords: "kestrel OR merlin, falcon" }, changedBy: BOB });
    expect(changed).toMatchObject({ terms: "kestrel OR merlin, falcon", version: 2, query: { platforms: [PLATFORM] } });
    expect(await versionsOf(changed)).toMatchObject([
      { version: 1, at: insight.createdAt, by: ANN, query: { keywords: "kestrel" } },
      { version: 2, at: world.time, by: BOB, query: { keywords: "kestrel OR merlin, falcon" } },
    ]);
    expect(await read(insight)).toEqual(changed);
  });

  it("to the same, in whatever order, makes no version and disturbs no poll", async () => {
    const follow = { feeds: ["https://a.example", "https://b.example"], subreddits: [], pages: [], organisations: [] };
    const insight = await world.insight({}, { platforms: [PLATFORM, "news"], follow });
    const turned = { ...follow, feeds: [...follow.feeds].reverse() };
    const same = { keywords: "kestrel", platforms: ["news", PLATFORM], location: "", follow: turned };
    const changed = await change(insight, { name: "Birds", query: same, sneakPeek: false });
    expect(changed).toEqual({ ...insight, name: "Birds", sortName: "birds" });
    expect(await change(insight, { query: same })).toEqual(changed);
  });

  it("keeps the latest versions", async () => {
    const insight = await world.insight();
    for (let number = 2; number <= VERSIONS_MAX + 3; number += 1) {
      await change(insight, { query: { keywords: `kestrel ${number}` } });
    }
    const versions = (await versionsOf(await read(insight))).map(({ version }) => version);
    expect(versions).toEqual(Array.from({ length: VERSIONS_MAX }, (_, index) => index + 4));
    expect(await world.collections.versions.count({})).toBe(VERSIONS_MAX - 1);
  });

  it("voids a poll of the earlier query, and the next one begins where the last complete one ended", async () => {
    const insight = await collecting();
    const polledUntil = world.time - HOUR;
    platform.then(async () => {
      await change(insight, { query: { keywords: "merlin" } });
      return { postings: [draft(2), draft(3, { text: "A merlin and a kestrel" })], cursor: "void" };
    });
    await world.worker().poll();
    expect(await world.stored(insight)).toEqual(["s1"]);
    expect(await world.search(insight)).toMatchObject({ cursor: null, poll: null, epoch: 2 });
    platform.then({ postings: [draft(2), draft(3, { text: "A merlin and a kestrel" })], cursor: "second" });
    await world.worker().pollNext();
    expect(await world.stored(insight)).toEqual(["s1", "s3"]);
    expect(platform.requests.at(-1)).toMatchObject({ cursor: null, addedSince: polledUntil + HOUR });
    expect(platform.requests.at(-1)!.since).toBeLessThan(polledUntil);
    expect(await world.search(insight)).toMatchObject({ cursor: "second" });
  });

  it("leaves thin what the earlier query had not collected, and gaps of it as they are", async () => {
    const insight = await collecting();
    const start = world.time - HOUR;
    await world.pause(insight);
    world.time += 2 * HOUR;
    await world.resume(insight);
    world.time += HOUR;
    await change(insight, { query: { keywords: "merlin" } });
    world.time += HOUR;
    await world.worker().poll();
    expect(await spans(insight, start)).toEqual(["4h thin query_changed", "1h complete"]);
    world.time += 3 * HOUR;
    await world.worker().poll();
    expect(await spans(insight, start)).toEqual(["4h thin query_changed", "4h complete"]);
    expect(platform.requests.at(-1)!.since).toBeGreaterThan(start + 4 * HOUR);
  });

  it("keeps the positions in sources that are followed, whatever the words are", async () => {
    platform.mode = "follow";
    const insight = await collecting();
    const addedSince = world.time;
    await change(insight, { query: { keywords: "merlin" } });
    await world.worker().pollNext();
    expect(platform.requests.at(-1)).toMatchObject({ cursor: "first", addedSince });
  });

  it("leaves searches that are asked for the same where they were", async () => {
    const insight = await collecting();
    platform.then({ postings: drafts(2), nextPage: "2" });
    await world.worker({ isStopping: () => true }).poll();
    const { poll, coverage, counts } = await world.search(insight);
    await change(insight, { query: { platforms: [PLATFORM, "news"], location: "Leeds" } });
    expect(await world.search(insight)).toMatchObject({ poll, coverage, counts, cursor: "first", epoch: 2 });
    await world.worker().poll();
    expect(platform.requests.at(-1)).toMatchObject({ pageToken: "2", cursor: "first" });
  });

  it("stops platforms that are left out, and keeps what is known of them", async () => {
    const other = new FakePlatform();
    world.platforms.set("news", { connector: other });
    const insight = await collecting({ platforms: [PLATFORM, "news"] });
    const start = world.time - HOUR;
    const changed = await change(insight, { query: { platforms: ["news"] } });
    expect(changed).toMatchObject({ formerPlatforms: [PLATFORM], query: { platforms: ["news"] } });
    world.time += DAY;
    const asked = platform.requests.length;
    await world.worker().poll();
    expect(platform.requests).toHaveLength(asked);
    expect(await world.search(insight)).toMatchObject({ dueAt: null, counts: { stored: 1 } });
    expect(await spans(insight, start - HOUR)).toEqual(["1h complete", "25h unknown query_changed"]);
    expect(await world.stored(insight)).toEqual(["s1"]);
    await world.pause(insight);
    await world.resume(insight);
    expect(await world.search(insight)).toMatchObject({ dueAt: null });
  });

  it("starts platforms that are added with what is posted from then on", async () => {
    const other = new FakePlatform();
    world.platforms.set("news", { connector: other });
    const insight = await collecting();
    await change(insight, { query: { platforms: [PLATFORM, "news"] } });
    const added = world.time;
    world.time += HOUR;
    await world.worker().poll();
    expect(other.requests[0]).toMatchObject({ since: added, cursor: null });
    expect(await spans(insight, added - HOUR, "news")).toEqual(["1h unknown query_changed", "1h complete"]);
    await change(insight, { query: { platforms: [PLATFORM] } });
    world.time += 2 * HOUR;
    await change(insight, { query: { platforms: [PLATFORM, "news"] } });
    const again = world.time;
    world.time += HOUR;
    await world.worker().poll();
    expect(other.requests.at(-1)).toMatchObject({ since: again, cursor: null });
    const known = ["1h unknown query_changed", "1h complete", "2h unknown query_changed", "1h complete"];
    expect(await spans(insight, added - HOUR, "news")).toEqual(known);
    expect(await read(insight)).toMatchObject({ formerPlatforms: [], version: 4 });
  });

  it("says of an added platform at once that it is not configured", async () => {
    world.platforms.set("news", { missing: "Set NEWS_FEEDS." });
    const insight = await collecting();
    await change(insight, { query: { platforms: [PLATFORM, "news"] } });
    expect(await world.search(insight, "news")).toMatchObject({
      status: "not_configured",
      lastError: "Set NEWS_FEEDS.",
    });
  });

  it("looks back once more if nothing was found yet", async () => {
    const insight = await world.insight();
    await world.worker().pollNext();
    world.time += 5 * MINUTE;
    const [first] = platform.requests;
    await change(insight, { query: { keywords: "merlin" } });
    await world.worker().pollNext();
    expect(world.time - platform.requests.at(-1)!.since).toBeGreaterThan(world.time - DAY - first!.since);
    expect(await spans(insight, world.time - DAY)).toEqual(["24h complete"]);
  });

  it("is not lost beside others: each is made on what the one before has left", async () => {
    const insight = await world.insight();
    await Promise.all([
      change(insight, { query: { keywords: "merlin" } }),
      change(insight, { query: { platforms: [PLATFORM, "news"] } }),
      change(insight, { query: { location: "Leeds" } }),
      change(insight, { name: "Birds" }),
      change(insight, { note: "Of prey" }),
    ]);
    const changed = await read(insight);
    expect(changed).toMatchObject({
      version: 4,
      name: "Birds",
      note: "Of prey",
      query: { keywords: "merlin", platforms: [PLATFORM, "news"], location: "Leeds" },
    });
    expect((await versionsOf(changed)).map(({ version }) => version)).toEqual([1, 2, 3, 4]);
  });

  it("loses nothing of a poll that ends while it is made", async () => {
    const insight = await collecting();
    platform.then({ postings: drafts(2), cursor: "second" });
    let isFirst = true;
    const commit = async (steps: Parameters<Store["commit"]>[0]) => {
      if (isFirst) await world.worker().poll();
      isFirst = false;
      return world.store.commit(steps);
    };
    const polledAt = world.time;
    await change(insight, { query: { keywords: "merlin" } }, { ...world.store, commit } as Store);
    expect(await world.stored(insight)).toEqual(["s1", "s2"]);
    expect(await world.search(insight)).toMatchObject({ counts: { stored: 2 }, epoch: 2 });
    world.time += HOUR;
    await world.worker().poll();
    expect(await spans(insight, polledAt - HOUR)).toEqual(["2h complete"]);
  });

  it("is made once, although its answer was lost", async () => {
    const insight = await world.insight();
    const commit = async (steps: Parameters<Store["commit"]>[0]) => {
      await world.store.commit(steps);
      throw new AppError("unavailable", "killed");
    };
    const wanted = { query: { keywords: "merlin", platforms: ["news"] } };
    await refusal(change(insight, wanted, { commit }));
    expect(await change(insight, wanted)).toMatchObject({ version: 2 });
    const searches = await world.collections.searches.find({ insightId: insight.id, dueAt: { ne: null } });
    expect(searches.map(({ platform: name }) => name)).toEqual(["news"]);
  });

  it("may concern an insight with a platform that the server no longer has", async () => {
    const insight = await world.insight({}, { platforms: ["news", PLATFORM] });
    world.platforms.delete("news");
    expect(await change(insight, { query: { keywords: "merlin" } })).toMatchObject({ version: 2 });
  });

  it("is refused as a creation would be", async () => {
    const insight = await world.insight();
    expect((await refusal(change(insight, { query: { keywords: 'a "b' } }))).violations).toMatchObject([
      { field: "keywords" },
    ]);
    world.platforms.set(PLATFORM, { missing: "Set TWITTER_BEARER_TOKEN." });
    const nowhere = await refusal(change(insight, { query: { location: "Xyzzyville" } }));
    expect(nowhere.violations).toMatchObject([{ field: "location" }]);
    expect(await read(insight)).toEqual(insight);
  });

  it("is refused if the insight is deleted, or erased", async () => {
    const insight = await world.insight();
    await change(insight, { query: { keywords: "merlin" } });
    await world.collections.insights.update({ id: insight.id }, { set: { status: "deleted" } });
    const wanted = { query: { keywords: "falcon" } };
    expect(await refusal(change(insight, wanted))).toMatchObject({ kind: "not-found" });
    await eraseInsight(world, await read(insight), () => Promise.resolve(true));
    expect(await refusal(change(insight, wanted))).toMatchObject({ kind: "not-found" });
    expect(await world.collections.versions.count({})).toBe(0);
    expect(await refusal(change({ ...insight, companyId: 8 }, wanted))).toMatchObject({ kind: "not-found" });
  });

  it("is made while the insight is paused, and collected by once it is resumed", async () => {
    const insight = await collecting();
    await world.pause(insight);
    await change(insight, { query: { keywords: "merlin", platforms: [PLATFORM, "news"] } });
    expect(await world.search(insight)).toMatchObject({ dueAt: null, nextAt: null });
    expect(await world.search(insight, "news")).toMatchObject({ dueAt: null, nextAt: null });
    await world.resume(insight);
    platform.then({ postings: [draft(4, { text: "A merlin" }), draft(5)] });
    await world.worker().pollNext();
    expect(await world.stored(insight)).toEqual(["s1", "s4"]);
  });
  describe("of a revision", () => {
    const ANOTHER = { kind: "precondition", code: "precondition_failed" };

    it("is made while the insight has it, whatever has been collected, and no more after that", async () => {
      const insight = await world.insight();
      const ifMatch = [revisionOfInsight(insight)];
      platform.then({ postings: drafts(1), cursor: "first" });
      await world.worker().pollNext();
      const collected = await read(insight);
      expect(collected).toMatchObject({ postings: 1 });
      const changed = await change(insight, { note: "Mine", ifMatch });
      await expect(change(insight, { name: "Birds", ifMatch })).rejects.toMatchObject(ANOTHER);
      await expect(change(insight, { note: "Mine", ifMatch })).rejects.toMatchObject(ANOTHER);
      expect(await read(insight)).toMatchObject({ postings: 1, note: "Mine" });
      const next = { name: "Birds", ifMatch: ["another", revisionOfInsight(changed)] };
      await expect(change(insight, next)).resolves.toMatchObject({ name: "Birds", note: "Mine" });
    });

    it("is a different one after each kind of change", async () => {
      const insight = await world.insight();
      const seen = new Set([revisionOfInsight(insight)]);
      const changes: InsightChange[] = [
        { name: "Birds" },
        { note: "Mine" },
        { query: { keywords: "falcon" } },
        { query: { location: "Leeds" } },
        { query: { follow: { feeds: ["https://a.example/f"], subreddits: [], pages: [], organisations: [] } } },
      ];
      for (const each of changes) {
        const revision = revisionOfInsight(await change(insight, each));
        expect(seen).not.toContain(revision);
        seen.add(revision);
      }
    });

    it.each([
      ["names", (name: string) => ({ name })],
      ["queries", (keywords: string) => ({ query: { keywords } })],
    ])("of several %s at once is one", async (_what, changeTo) => {
      const insight = await world.insight();
      const ifMatch = [revisionOfInsight(insight)];
      const calls = ["a1", "b2", "c3", "d4"].map((text) => change(insight, { ...changeTo(text), ifMatch }));
      const ended = await Promise.allSettled(calls);
      const won = ended.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
      expect(won).toEqual([await read(insight)]);
      for (const each of ended) if (each.status === "rejected") expect(each.reason).toMatchObject(ANOTHER);
    });
  });
});

describe("a preview that is made continuous", () => {
  let world: CollectorWorld;
  let platform: FakePlatform;
  beforeEach(async () => {
    world = await CollectorWorld.open();
    platform = new FakePlatform({ postings: drafts(1) });
    world.platforms.set(PLATFORM, { connector: platform });
  });
  afterEach(() => world.close());

  const change = ({ id, companyId }: InsightRecord, wanted: InsightChange) =>
    changeInsight(world, { id, companyId }, wanted);

  /** A preview that has found posting 1. */
  async function preview(values: Partial<InsightRecord> = {}): Promise<InsightRecord> {
    const insight = await world.insight({}, { sneakPeek: true });
    world.time += 1000;
    await world.worker().poll();
    const { insights } = world.collections;
    return (await insights.update({ id: insight.id }, { set: values })) ?? insight;
  }

  it.each(["running", "completed", "failed"] as const)("keeps its postings and collects: a %s one", async (status) => {
    const ended = { error: status === "failed" ? "None answered." : null, finishedAt: world.time };
    const insight = await preview({ status, ...(status !== "running" && ended) });
    const changed = await change(insight, { sneakPeek: false });
    expect(changed).toMatchObject({ status: "running", finishedAt: null, error: null, query: { sneakPeek: false } });
    expect(changed.version).toBeUndefined();
    platform.then({ postings: drafts(1, 2), cursor: "first" });
    await world.worker().pollNext();
    expect(await world.stored(insight)).toEqual(["s1", "s2"]);
    expect(platform.requests.at(-1)).toMatchObject({ cursor: null, search: { preview: false } });
    expect(await world.search(insight)).toMatchObject({ cursor: "first", outcome: null, status: "waiting" });
    expect((await world.search(insight)).dueAt).toBeGreaterThan(world.time);
    expect(await change(insight, { sneakPeek: false })).toEqual(await world.collections.insights.get(insight.id));
  });

  it("stays paused if it is", async () => {
    const insight = await preview();
    await world.pause(insight);
    expect(await change(insight, { sneakPeek: false })).toMatchObject({ status: "paused" });
    expect(await world.search(insight)).toMatchObject({ dueAt: null, preview: false });
    await world.resume(insight);
    platform.then({ postings: drafts(2) });
    await world.worker().pollNext();
    expect(await world.stored(insight)).toEqual(["s1", "s2"]);
  });

  it("may get another query with it, but not without it once it has ended", async () => {
    const insight = await preview({ status: "completed", finishedAt: world.time });
    const query = { keywords: "merlin" };
    const refused = await change(insight, { query }).catch((error: unknown) => error);
    expect(refused).toMatchObject({
      kind: "invalid",
      code: "insight_ended",
      message: expect.stringContaining("sneak_peek") as string,
    });
    expect(await change(insight, { name: "Birds" })).toMatchObject({ name: "Birds", status: "completed" });
    expect(await change(insight, { query, sneakPeek: false })).toMatchObject({ status: "running", version: 2 });
  });

  it("looks once more with another query while it runs", async () => {
    const insight = await preview();
    await change(insight, { query: { keywords: "merlin" } });
    platform.then({ postings: [draft(2), draft(3, { text: "A merlin" })] });
    await world.worker().pollNext();
    expect(await world.stored(insight)).toEqual(["s1", "s3"]);
    expect(await world.search(insight)).toMatchObject({ outcome: "answered", preview: true });
  });

  it("cannot become a preview", async () => {
    const insight = await world.insight();
    const refused = (await change(insight, { sneakPeek: true }).catch((error: unknown) => error)) as AppError;
    expect(refused.violations).toMatchObject([
      { field: "sneak_peek", message: expect.stringContaining("Create a preview") as string },
    ]);
    expect(await change(await preview(), { sneakPeek: true })).toMatchObject({ query: { sneakPeek: true } });
  });
});
