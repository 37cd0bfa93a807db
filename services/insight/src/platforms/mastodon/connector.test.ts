import { MastodonUpstream } from "@hourglass/demo";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { parseQuery } from "../../query/parser.js";
import { ConnectorWorld } from "../testing/connector-world.js";
import { MASTODON } from "./index.js";

const MINUTE = 60_000;
let other: MastodonUpstream;
let opened: ConnectorWorld<MastodonUpstream>;

beforeEach(async () => {
  opened = await open();
});
afterEach(() => opened.close());

async function open(env: Readonly<Record<string, string>> = {}): Promise<ConnectorWorld<MastodonUpstream>> {
  const world = await ConnectorWorld.open({
    module: MASTODON,
    start: async (now) => {
      other = await MastodonUpstream.start({ now });
      return MastodonUpstream.start({ now });
    },
    env: ({ origin }) => ({ MASTODON_SERVERS: `${origin},${other.origin}`, ...env }),
  });
  const second = other;
  onTestFinished(() => second.close());
  return world;
}

const search = (keywords: string) => ({ ...opened.request().search, query: parseQuery(keywords) });
const pathsOf = (upstream: MastodonUpstream) =>
  upstream.seen.map(({ path }) => decodeURIComponent(path.split("/").at(-1) ?? ""));

describe("the connector of mastodon, with two servers", () => {
  it("asks both for each hashtag of the query, and stores what both know once", async () => {
    const insight = await opened.insight({ keywords: "kestrel phone" });
    const at = opened.world.time - MINUTE;
    const shared = { id: "9000000000000000001", at, text: "A kestrel phone" };
    opened.upstream.post(shared);
    other.post(shared);
    other.post({ id: "9000000000000000002", at, text: "Only here", tags: ["KestrelPhone"] });
    await opened.pollToEnd(insight);
    expect([pathsOf(opened.upstream), pathsOf(other)]).toEqual([
      ["kestrel", "kestrelphone"],
      ["kestrel", "kestrelphone"],
    ]);
    expect(await opened.stored(insight)).toHaveLength(2);
  });

  it("reads a timeline to its end, however few postings a server gives out at a time and without links", async () => {
    for (const server of [opened.upstream, other]) Object.assign(server, { statusesMax: 3, statesLinks: false });
    const insight = await opened.insight();
    for (let number = 1; number <= 7; number += 1) other.post({ at: opened.world.time - number * MINUTE });
    await opened.pollToEnd(insight);
    expect(await opened.stored(insight)).toHaveLength(7);
  });

  it("reads the other if one fails, and says what is missing", async () => {
    const insight = await opened.insight();
    other.post({ at: opened.world.time - MINUTE });
    opened.upstream.failAlways({ kind: "status", status: 503 });
    const state = await opened.pollToEnd(insight);
    expect(state.warnings).toEqual([expect.stringMatching(/^#kestrel on 127\.0\.0\.1:\d+ cannot be read\..*503/)]);
    expect(JSON.stringify(state.coverage)).toContain("outage");
    expect(await opened.stored(insight)).toHaveLength(1);
  });

  it("stops if none shows its timelines to the public", async () => {
    const insight = await opened.insight();
    for (const upstream of [opened.upstream, other]) upstream.isClosed = true;
    await opened.world.worker().pollNext();
    expect(await opened.search(insight)).toMatchObject({
      status: "auth_failed",
      lastError: expect.stringMatching(/signed in.*MASTODON_SERVERS/) as string,
    });
  });

  it("asks a server no more once its limit is used up, and continues with the other", async () => {
    const insight = await opened.insight({ keywords: "kestrel, merlin" });
    opened.upstream.window.limit = 1;
    other.post({ at: opened.world.time - MINUTE, tags: ["merlin"], text: "A merlin" });
    const state = await opened.pollToEnd(insight);
    expect(opened.upstream.seen).toHaveLength(1);
    expect(state.warnings.join()).toContain("is used up");
    expect(await opened.stored(insight)).toHaveLength(1);
  });

  it("finds what other servers posted some minutes ago and this one learns of only now", async () => {
    const insight = await opened.insight();
    await opened.pollToEnd(insight);
    opened.world.time += 5 * MINUTE;
    opened.upstream.post({ at: opened.world.time - 20 * MINUTE, arrivedAt: opened.world.time });
    await opened.pollToEnd(insight);
    expect(await opened.stored(insight)).toHaveLength(1);
  });
});

it("spends a budget of each server", async () => {
  await opened.close();
  opened = await open({ MASTODON_REQUESTS_PER_MINUTE: "10" });
  const connector = await opened.connector();
  const limits = Array.from({ length: 11 }, () => connector.fetchPage(opened.request()));
  const outcomes = await Promise.allSettled(limits);
  expect(outcomes.filter(({ status }) => status === "fulfilled").length).toBe(11);
  expect(opened.upstream.seen.length + other.seen.length).toBe(9);
});

describe("the plan", () => {
  it("names the timelines, and what hashtags cannot find", async () => {
    const connector = await opened.connector();
    const host = new URL(opened.upstream.origin).host;
    const plan = connector.plan(search("kestrel phone, kes*"));
    expect(plan.queries).toContain(`#kestrelphone on ${host}`);
    expect(plan.warnings).toEqual([
      "Mastodon has no hashtag for kes*, so nothing is collected for it.",
      "Mastodon is asked for hashtags: postings that have the words in their text alone are not found.",
    ]);
  });

  it("says if nothing can be asked", async () => {
    const plan = (await opened.connector()).plan(search("@somebody"));
    expect(plan.queries).toEqual([]);
    expect(plan.warnings.at(-1)).toMatch(/cannot be asked/);
  });
});
