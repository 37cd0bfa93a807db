import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { RedditUpstream } from "./reddit.js";

const MINUTE = 60_000;
const CREDENTIALS = { clientId: "app", clientSecret: "secret" };
const USER_AGENT = "server:test:1.0 (by /u/ada_demo)";

let upstream: RedditUpstream;
let time: number;
let token: string;

beforeEach(async () => {
  time = Date.UTC(2026, 10, 22, 12);
  upstream = await RedditUpstream.start({ ...CREDENTIALS, now: () => time });
  const answer = (await (await askToken()).json()) as { access_token: string };
  token = answer.access_token;
});
afterEach(() => upstream.close());

interface Listing {
  data: { after: string | null; children: { kind: string; data: Record<string, unknown> }[] };
}

function askToken(secret = CREDENTIALS.clientSecret, grant = "client_credentials"): Promise<Response> {
  const basic = Buffer.from(`${CREDENTIALS.clientId}:${secret}`).toString("base64");
  return fetch(`${upstream.tokenServer.origin}/api/v1/access_token`, {
    method: "POST",
    headers: { Authorization: `Basic ${basic}` },
    body: new URLSearchParams({ grant_type: grant }),
  });
}

const get = (path: string, params: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  fetch(`${upstream.origin}${path}?${new URLSearchParams({ raw_json: "1", ...params }).toString()}`, {
    headers: { Authorization: `bearer ${token}`, "User-Agent": USER_AGENT, ...headers },
    redirect: "manual",
  });
const list = async (path: string, params: Record<string, string> = {}): Promise<Listing> =>
  (await (await get(path, params)).json()) as Listing;
const SEARCH = { q: "kestrel", sort: "new", type: "link" };
const namesOf = ({ data }: Listing) => data.children.map((child) => child.data["name"]);

describe("the fake of Reddit", () => {
  it("gives pages, newest first, until there is no next one", async () => {
    for (let number = 0; number < 12; number += 1) upstream.post({ at: time - number * MINUTE });
    const first = await list("/search", { ...SEARCH, limit: "10" });
    expect(first.data.after).toBe(namesOf(first).at(-1));
    const second = await list("/search", { ...SEARCH, limit: "10", after: first.data.after ?? "" });
    expect([...namesOf(first), ...namesOf(second)]).toHaveLength(12);
    expect([second.data.after, new Set([...namesOf(first), ...namesOf(second)]).size]).toEqual([null, 12]);
  });

  it("ends a listing where Reddit does", async () => {
    upstream.ends.listing = 15;
    for (let number = 0; number < 20; number += 1) upstream.post({ at: time - number * MINUTE, subreddit: "a" });
    const first = await list("/r/a/new", { limit: "10" });
    const second = await list("/r/a/new", { limit: "10", after: first.data.after ?? "" });
    expect([namesOf(second).length, second.data.after]).toEqual([5, null]);
  });

  it("lists submissions and comments of several subreddits apart", async () => {
    const submission = upstream.post({ subreddit: "A" });
    const comment = upstream.post({ subreddit: "b", kind: "t1" });
    upstream.post({ subreddit: "c" });
    expect(namesOf(await list("/r/a+b/new"))).toEqual([submission]);
    expect(namesOf(await list("/r/a+b/comments"))).toEqual([comment]);
  });

  it("labels everything as invented", async () => {
    upstream.post();
    expect((await list("/search", SEARCH)).data.children[0]?.data["demo"]).toBe(true);
  });

  it("escapes texts unless it is asked not to", async () => {
    upstream.post({ title: "Kestrel & <phone>" });
    const titleOf = ({ data }: Listing) => data.children[0]?.data["title"];
    expect(titleOf(await list("/search", SEARCH))).toBe("Kestrel & <phone>");
    expect(titleOf(await list("/search", { ...SEARCH, raw_json: "0" }))).toBe("Kestrel &amp; &lt;phone&gt;");
  });

  it("keeps the id of what is edited, and lists nothing that was deleted", async () => {
    const id = upstream.post();
    upstream.edit(id, "A kestrel, corrected");
    const [child] = (await list("/search", SEARCH)).data.children;
    expect(child?.data).toMatchObject({ name: id, selftext: "A kestrel, corrected", edited: time / 1000 });
    upstream.remove(id);
    expect(namesOf(await list("/search", SEARCH))).toEqual([]);
  });

  it.each([
    ["private", 403, { reason: "private" }],
    ["banned", 404, { reason: "banned" }],
  ] as const)("refuses a subreddit that is %s", async (why, status, body) => {
    upstream.closed.set("a", why);
    const answer = await get("/r/A/new");
    expect([answer.status, await answer.json()]).toEqual([status, expect.objectContaining(body)]);
    expect((await get("/r/a+b/new")).status).toBe(200);
  });

  it("redirects from a subreddit that does not exist", async () => {
    upstream.closed.set("a", "missing");
    const answer = await get("/r/a/comments");
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "/subreddits/search?q=a"]);
  });

  it.each([{ q: "" }, { q: "kestrel OR" }, { sort: "top" }, { after: "nonsense" }])("refuses %j", async (params) => {
    expect((await get("/search", { ...SEARCH, ...params })).status).toBe(400);
  });

  it("counts requests in windows, and says in how many seconds the next one begins", async () => {
    upstream.window.limit = 1;
    const first = await get("/search", SEARCH);
    expect(first.headers.get("x-ratelimit-remaining")).toBe("0.0");
    time += 4 * MINUTE;
    const refused = await get("/search", SEARCH);
    expect([refused.status, refused.headers.get("x-ratelimit-reset")]).toEqual([429, "360"]);
    time += 6 * MINUTE;
    expect((await get("/search", SEARCH)).status).toBe(200);
  });

  it("hardly serves clients without their own name", async () => {
    expect((await get("/search", SEARCH, { "User-Agent": "node" })).status).toBe(429);
  });

  it("serves only those who have a token that is valid", async () => {
    expect((await get("/search", SEARCH, { Authorization: "bearer other" })).status).toBe(401);
    time += 60 * MINUTE;
    expect((await get("/search", SEARCH)).status).toBe(401);
    token = ((await (await askToken()).json()) as { access_token: string }).access_token;
    expect((await get("/search", SEARCH)).status).toBe(200);
    upstream.tokens.expireAll();
    expect((await get("/search", SEARCH)).status).toBe(401);
  });

  it("gives tokens to its app only, as long as nobody revokes it", async () => {
    expect((await askToken("other")).status).toBe(401);
    expect(await (await askToken(undefined, "password")).json()).toEqual({ error: "unsupported_grant_type" });
    upstream.tokens.isRevoked = true;
    expect((await askToken()).status).toBe(401);
  });
});
