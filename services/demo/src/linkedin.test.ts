import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DEMO_ORGANIZATION, LinkedinUpstream } from "./linkedin.js";

const MINUTE = 60_000;
const AUTHOR = encodeURIComponent(`urn:li:organization:${DEMO_ORGANIZATION.id}`);
const HEADERS = {
  Authorization: "Bearer token",
  "LinkedIn-Version": "202607",
  "X-Restli-Protocol-Version": "2.0.0",
  "X-RestLi-Method": "FINDER",
};

let upstream: LinkedinUpstream;
let time: number;

beforeEach(async () => {
  time = Date.UTC(2026, 10, 22, 12);
  const client = { refreshToken: "refresh", clientId: "client", clientSecret: "secret" };
  upstream = await LinkedinUpstream.start({ token: "token", ...client, now: () => time });
});
afterEach(() => upstream.close());

function ask(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${upstream.origin}/rest${path}`, { headers: { ...HEADERS, ...headers } });
}

const postsPath = (start = 0, author = AUTHOR): string =>
  `/posts?q=author&author=${author}&count=10&start=${start}&sortBy=LAST_MODIFIED`;

interface Answer {
  elements: { id: string; commentary: string; demo: boolean }[];
  paging: { links: { rel: string }[] };
}

const posts = async (start = 0): Promise<Answer> => (await (await ask(postsPath(start))).json()) as Answer;

describe("the fake of LinkedIn", () => {
  it("gives posts by offset, those that were changed last first, until there is no next page", async () => {
    const ids = Array.from({ length: 12 }, (_, number) => upstream.post({ at: time - number * MINUTE }));
    time += MINUTE;
    upstream.edit(ids[11] ?? "", "Corrected");
    const [first, second] = [await posts(), await posts(10)];
    expect(first.elements.map(({ id }) => id)).toEqual([ids[11], ...ids.slice(0, 9)]);
    expect([second.elements.length, first.paging.links.length, second.paging.links.length]).toEqual([2, 1, 0]);
  });

  it("folds tags and escapes signs, and says that posts are invented", async () => {
    upstream.post({ text: "{hashtag|\\#|kestrel}" });
    for (let number = 0; number < 9; number += 1) upstream.post();
    const { elements } = await posts();
    expect(elements.some(({ commentary }) => commentary.includes("{hashtag|\\#|kestrel}"))).toBe(true);
    expect(elements.every(({ demo }) => demo)).toBe(true);
  });

  it("gives reactions and shares of posts by URN", async () => {
    const id = upstream.post({ likes: 40, shares: 7 });
    const list = `List(${encodeURIComponent(id)},${encodeURIComponent("urn:li:share:1")})`;
    const batch = await ask(`/socialMetadata?ids=${list}`, { "X-RestLi-Method": "BATCH_GET" });
    expect(await batch.json()).toMatchObject({ results: { [id]: { reactionSummaries: { LIKE: { count: 40 } } } } });
    const entity = `q=organizationalEntity&organizationalEntity=${AUTHOR}`;
    const shares = await ask(`/organizationalEntityShareStatistics?${entity}&shares=${list}`);
    expect(await shares.json()).toMatchObject({ elements: [{ share: id, totalShareStatistics: { shareCount: 7 } }] });
  });

  it.each([
    ["a version that is retired", 426, postsPath(), { "LinkedIn-Version": "202401" }],
    ["another protocol", 400, postsPath(), { "X-Restli-Protocol-Version": "1.0.0" }],
    ["another method", 400, postsPath(), { "X-RestLi-Method": "GET_ALL" }],
    ["an author that is no organization", 400, postsPath(0, "urn%3Ali%3Aperson%3A1"), {}],
    ["an organization of others", 403, postsPath(0, "urn%3Ali%3Aorganization%3A1"), {}],
    ["another token", 401, postsPath(), { Authorization: "Bearer other" }],
    ["what it does not have", 404, "/people", {}],
  ])("refuses %s", async (_name, status, path, headers) => {
    const answer = await ask(path, headers);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ status, message: expect.any(String) as string });
  });

  it("counts the requests of a day", async () => {
    upstream.quota.limit = 1;
    expect([(await ask(postsPath())).status, (await ask(postsPath())).status]).toEqual([200, 429]);
    time += 24 * 60 * MINUTE;
    expect((await ask(postsPath())).status).toBe(200);
  });

  it("renews tokens for its client, which ends the one before", async () => {
    const renew = (secret: string) => {
      const client = { client_id: "client", client_secret: secret };
      const form = new URLSearchParams({ grant_type: "refresh_token", refresh_token: "refresh", ...client });
      return fetch(`${upstream.origin}/oauth/v2/accessToken`, { method: "POST", body: form });
    };
    expect((await renew("wrong")).status).toBe(400);
    expect(await (await renew("secret")).json()).toMatchObject({ access_token: "renewed-1" });
    expect((await ask(postsPath())).status).toBe(401);
  });
});
