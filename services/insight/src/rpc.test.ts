import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { InsightDimension } from "@hourglass/proto/insight/v1/insight";
import { InsightService } from "@hourglass/proto/insight/v1/insight_service";
import { Platform, PlatformStatus } from "@hourglass/proto/insight/v1/platform";
import { type Client, createInProcessClient, Dispatcher, outboundSettings, readConfig } from "@hourglass/runtime";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { insightSettings } from "./config.js";
import { PostingsWorld } from "./postings/testing/postings-world.js";
import { buildInsightService } from "./service.js";
import { searchId } from "./store/records.js";

const NINE = "twitter, reddit, news, youtube-videos, youtube-comments, facebook, instagram, linkedin, tiktok";
/** No release of the contract knows it. */
const [UNKNOWN] = JSON.parse("[99]") as [Platform];
const TOKEN = { token: "user" };
const HOUR_MS = 60 * 60_000;

let world: PostingsWorld;
beforeEach(async () => {
  world = await PostingsWorld.open();
});
afterEach(() => world.close());

/** A client of a service with these settings. */
async function client(env: Readonly<Record<string, string>> = {}): Promise<Client<typeof InsightService>> {
  const config = { ...readConfig(env, { insight: insightSettings, outbound: outboundSettings }), leaseMs: 1_000 };
  const service = await buildInsightService({
    store: world.store,
    queue: world.queue,
    config,
    log: world.log,
    clock: world.now,
  });
  service.close();
  const person = { userId: 1, role: "admin" as const, email: "ada@example.com", firstName: "Ada", lastName: "Example" };
  const company = { companyId: 1, companyName: "Example", products: [{ uid: "insight", active: true }] };
  const dispatcher = new Dispatcher({
    authenticate: () => Promise.resolve({ ...person, ...company }),
    reportFailure: () => undefined,
  });
  return createInProcessClient(InsightService, service.routes[0]!, dispatcher);
}

const queryOn = (...platforms: Platform[]) => ({
  query: { keywords: "kestrel", platforms, dimensions: [InsightDimension.TEXTUAL] },
});
const violationsOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => [],
    (error: unknown) => (error as { violations: unknown }).violations,
  );

it("a search that this server does not run is stalled, with the reason and the time of the next try", async () => {
  const insights = await client();
  const { id } = await insights.createInsight(queryOn(Platform.NEWS), TOKEN);
  const search = searchId(Number(id), "news");
  world.time += HOUR_MS;
  const until = world.time + HOUR_MS;
  const setback = { why: "died", until } as const;
  const [nextAt, status] = [world.time - HOUR_MS, "waiting"] as const;
  await world.collections.searches.update({ id: search }, { set: { status, nextAt, dueAt: until, setback } });
  const [platform] = (await insights.getInsight({ id }, TOKEN)).insight?.platforms ?? [];
  expect(platform).toMatchObject({
    status: PlatformStatus.STALLED,
    stalled: { reason: expect.stringMatching(/operator/), nextTryAt: timestampFromMs(until) },
  });
});

describe("platforms that only some servers have", () => {
  it("are refused by the others like numbers that the contract does not know", async () => {
    const insights = await client();
    for (const platform of [Platform.BLUESKY, Platform.MASTODON, UNKNOWN]) {
      const message = `Give one of these: ${NINE}.`;
      const query = [{ field: "query.platforms[1]", message }];
      expect(await violationsOf(insights.createInsight(queryOn(Platform.NEWS, platform), TOKEN))).toEqual(query);
      expect(await violationsOf(insights.checkInsight(queryOn(Platform.NEWS, platform), TOKEN))).toEqual(query);
      const filter = { platforms: [platform] };
      const filtered = [{ field: "filter.platforms[0]", message }];
      expect(await violationsOf(insights.listPostings({ id: 1n, filter }, TOKEN))).toEqual(filtered);
      expect(await violationsOf(insights.summarize({ id: 1n, filter }, TOKEN))).toEqual(filtered);
      expect(await violationsOf(insights.erasePostings({ platform, socialId: "1" }, TOKEN))).toEqual([
        { field: "platform", message },
      ]);
    }
    expect((await insights.listPlatforms({}, TOKEN)).platforms.map(({ platform }) => platform)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9,
    ]);
  });

  it("are accepted where EXTRA_PLATFORMS names them", async () => {
    const insights = await client({ EXTRA_PLATFORMS: "bluesky" });
    const { platforms } = await insights.checkInsight(queryOn(Platform.BLUESKY), TOKEN);
    expect(platforms).toMatchObject([{ platform: Platform.BLUESKY, narrowedLocally: true }]);
    expect((await insights.createInsight(queryOn(Platform.BLUESKY), TOKEN)).id).toBeGreaterThan(0n);
    const message = `Give one of these: ${NINE}, bluesky.`;
    expect(await violationsOf(insights.createInsight(queryOn(Platform.MASTODON), TOKEN))).toEqual([
      { field: "query.platforms[0]", message },
    ]);
    expect((await insights.listPlatforms({}, TOKEN)).platforms.at(-1)).toMatchObject({ platform: Platform.BLUESKY });
  });
});
