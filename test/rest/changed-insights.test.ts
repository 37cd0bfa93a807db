import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { FeedServer, type FeedItem } from "../support/feed-server.js";
import { startServer, type TestServer } from "../support/server.js";
import { fieldsOf, INSIGHTS, User, type Failure } from "./routes.js";

interface Version {
  version: number;
  at: string;
  created_by: { user_id: number; name: string };
  keywords: string;
  platforms: string[];
  location: string | null;
  follow: { feeds: string[] } | null;
}

interface Insight {
  id: number;
  name?: string;
  status: string;
  terms: string;
  posting_count: number;
  query: Record<string, unknown>;
  version: number;
  versions: Version[];
  platforms: { platform: string; state: string }[];
}

const CONNECT = "/hourglass.insight.v1.InsightService";

describe("a changed insight", () => {
  let server: TestServer;
  let user: User;
  let feeds: FeedServer;
  let feed = "";
  let feedNumber = 0;

  beforeAll(async () => {
    feeds = await FeedServer.start();
    server = await startServer({ ALLOW_PRIVATE_URLS: "true", COLLECT_INTERVAL_SECONDS: "1" });
    user = await User.signIn(server);
  });
  afterAll(async () => {
    await server.close();
    await feeds.close();
  });
  beforeEach(() => {
    feed = `/feed-${++feedNumber}`;
  });

  const item = (name: string, text: string): FeedItem => ({
    guid: `${feed}-${name}`,
    title: text,
    text: "I love it.",
    at: new Date(),
  });
  const followed = () => ({ feeds: [feeds.url(feed)] });

  async function create(query: Record<string, unknown> = {}): Promise<string> {
    const given = { keywords: "kestrel", platforms: ["news"], dimensions: ["textual"], follow: followed(), ...query };
    const answer = await user.post(INSIGHTS, { query: given });
    expect(answer.status, answer.text).toBe(200);
    return answer.headers.get("location") ?? "";
  }

  const patch = (path: string, body: object) => user.send("PATCH", path, { body });
  const read = async (path: string): Promise<Insight> => (await user.get(path)).body as Insight;
  const texts = async (path: string): Promise<string[]> => {
    const { body } = await user.get(`${path}/postings`);
    return (body as { postings: { social_id: string }[] }).postings.map(({ social_id: id }) => id).sort();
  };

  it("collects by its new query, keeps what it has, and shows both queries", async () => {
    feeds.feeds.set(feed, [item("1", "A kestrel")]);
    const path = await create();
    await expect.poll(() => texts(path)).toEqual([`${feed}-1`]);
    const changed = await patch(path, { keywords: "merlin, falcon", platforms: ["news", "twitter"], name: "Birds" });
    expect(changed.status, changed.text).toBe(200);
    expect(changed.body).toMatchObject({
      name: "Birds",
      terms: "merlin, falcon",
      version: 2,
      query: {
        keywords: "merlin, falcon",
        platforms: ["news", "twitter"],
        dimensions: ["textual"],
        follow: followed(),
      },
      versions: [
        { version: 1, keywords: "kestrel", platforms: ["news"], location: null, follow: followed() },
        { version: 2, keywords: "merlin, falcon", platforms: ["news", "twitter"] },
      ],
      platforms: [{ platform: "news" }, { platform: "twitter", state: "not_configured" }],
    });
    const { versions } = await read(path);
    expect(versions[1]?.created_by).toEqual(versions[0]?.created_by);
    feeds.feeds.set(feed, [item("1", "A kestrel"), item("2", "Another kestrel"), item("3", "A merlin")]);
    await expect.poll(() => texts(path)).toEqual([`${feed}-1`, `${feed}-3`]);
    const summary = (await user.get(`${path}/summary?interval=hour`)).body as {
      versions: Version[];
      series: { start: string; end: string; version?: number }[];
      spikes: { judgements: { status: string }[] };
    };
    expect(summary.versions).toEqual(versions);
    const marked = summary.series.filter(({ version }) => version !== undefined);
    expect(marked).toMatchObject([{ version: 2 }]);
    const at = versions[1]?.at ?? "";
    expect(marked.every(({ start, end }) => start <= at && at < end)).toBe(true);
    expect(((await user.get(INSIGHTS)).body as { insights: Insight[] }).insights[0]).not.toHaveProperty("versions");
  });

  it("stays as it is if it is given what it has", async () => {
    const path = await create({ location: "Leeds" });
    const same = { keywords: "kestrel", platforms: ["news"], location: "Leeds", follow: followed(), sneak_peek: false };
    expect((await patch(path, same)).body).toMatchObject({ version: 1 });
    expect((await patch(path, { keywords: null, platforms: null, follow: null, note: "Mine" })).body).toMatchObject({
      version: 1,
      note: "Mine",
    });
    expect((await patch(path, { location: "", follow: {} })).body).toMatchObject({
      version: 2,
      query: { location: null, follow: null },
    });
  });

  it("answers 400 that names every wrong field, and changes nothing then", async () => {
    const path = await create();
    const wrong = [
      [{ keywords: 'a "b', platforms: ["nws"], location: "x".repeat(501) }, ["keywords", "location", "platforms[0]"]],
      [{ keywords: 'a "b', name: "Birds" }, ["keywords"]],
      [{ keywords: "" }, ["keywords"]],
      [{ keywords: "a".repeat(501) }, ["keywords"]],
      [{ platforms: [] }, ["platforms"]],
      [{ platforms: ["news", "news"] }, ["platforms"]],
      [{ platforms: ["twitter"], location: "Xyzzy" }, ["location"]],
      [{ follow: { feeds: ["httpx://a"] } }, ["follow.feeds[0]"]],
      [{ sneak_peek: true }, ["sneak_peek"]],
      [{ name: "Birds", dimensions: ["visual"] }, ["dimensions"]],
      [{ name: "Birds", query: { keywords: "b" } }, ["query"]],
      [{}, ["name"]],
    ] as const;
    for (const [body, fields] of wrong) {
      const refused = await patch(path, body);
      expect([refused.status, fieldsOf(refused).sort()], JSON.stringify(body)).toEqual([400, fields]);
    }
    expect(await read(path)).toMatchObject({ version: 1, query: { keywords: "kestrel", platforms: ["news"] } });
    expect(await read(path)).not.toHaveProperty("name");
    expect((await patch(`${INSIGHTS}/999999`, { keywords: "a" })).status).toBe(404);
    await user.send("DELETE", path);
    expect((await patch(path, { keywords: "a" })).status).toBe(404);
  });

  it("is changed one time after the other by those who do it at the same time", async () => {
    const path = await create();
    const answers = await Promise.all([
      patch(path, { keywords: "merlin" }),
      patch(path, { platforms: ["news", "reddit"] }),
      patch(path, { location: "Leeds" }),
      patch(path, { name: "Birds" }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await read(path)).toMatchObject({
      name: "Birds",
      version: 4,
      query: { keywords: "merlin", platforms: ["news", "reddit"], location: "Leeds" },
    });
  });

  it("is the same over Connect, with the rules of a new one", async () => {
    const path = await create();
    const id = path.split("/").at(-1);
    const call = (body: object) => user.post(`${CONNECT}/UpdateInsight`, { id, ...body });
    const platforms = { platforms: ["PLATFORM_NEWS", "PLATFORM_REDDIT"] };
    const changed = await call({ keywords: "merlin", platforms });
    expect(changed.status, changed.text).toBe(200);
    expect(changed.body).toMatchObject({
      insight: { version: 2, versions: [{ keywords: "kestrel" }, { keywords: "merlin" }] },
    });
    const wrong = await call({ keywords: "", platforms: { platforms: [] }, sneakPeek: true });
    expect(wrong.status).toBe(400);
    expect(wrong.text).toContain("platforms.platforms");
    const placed = await call({ keywords: 'kestrel "' });
    expect(placed.text).toContain("hourglass.error.v1.FieldPlaces");
    const rest = (await patch(path, { keywords: 'kestrel "' })).body as Failure;
    expect(rest.details).toMatchObject([{ field: "keywords", start: 8, end: 9 }]);
    expect(await read(path)).toMatchObject({ version: 2, query: { platforms: ["news", "reddit"] } });
  });

  it("has its place in lists that are sorted", async () => {
    const named = async (name: string): Promise<number> => {
      const path = await create({ keywords: name });
      await patch(path, { name });
      return Number(path.split("/").at(-1));
    };
    const [second, third, first] = [await named("sorted b"), await named("sorted c"), await named("Sorted Á")];
    const listed = async (query: string): Promise<number[]> =>
      ((await user.get(`${INSIGHTS}?q=sorted&${query}`)).body as { insights: Insight[] }).insights.map(({ id }) => id);
    expect(await listed("sort=name")).toEqual([first, second, third]);
    expect(await listed("sort=name&order=desc")).toEqual([third, second, first]);
    expect(await listed("")).toEqual([first, third, second]);
    expect(await listed("sort=created_at&order=asc")).toEqual([second, third, first]);
    const page = (await user.get(`${INSIGHTS}?sort=name&limit=1`)).body as { next_cursor: string };
    for (const [query, field] of [
      ["sort=size", "sort"],
      ["order=up", "order"],
      [`sort=postings&cursor=${page.next_cursor}`, "cursor"],
      [`cursor=${page.next_cursor}`, "cursor"],
    ] as const) {
      const refused = await user.get(`${INSIGHTS}?${query}`);
      expect([refused.status, fieldsOf(refused)], query).toEqual([400, [field]]);
    }
    const call = await user.post(`${CONNECT}/ListInsights`, { q: "sorted", sort: "name", ascending: false });
    expect((call.body as { insights: { id: string }[] }).insights.map(({ id }) => Number(id))).toEqual([
      third,
      second,
      first,
    ]);
  });

  it("was a preview, whose postings it keeps", async () => {
    feeds.feeds.set(feed, [item("1", "A kestrel")]);
    const path = await create({ sneak_peek: true });
    await expect.poll(async () => (await read(path)).status).toBe("completed");
    const refused = await patch(path, { keywords: "merlin" });
    expect([refused.status, (refused.body as Failure).code]).toEqual([400, "insight_ended"]);
    const continued = await patch(path, { sneak_peek: false });
    expect(continued.body).toMatchObject({
      status: "running",
      finished_at: null,
      query: { sneak_peek: false },
      version: 1,
    });
    feeds.feeds.set(feed, [item("1", "A kestrel"), item("2", "Another kestrel")]);
    await expect.poll(() => texts(path)).toEqual([`${feed}-1`, `${feed}-2`]);
    expect((await user.send("PUT", `${path}/pause`)).status).toBe(200);
  });
});
