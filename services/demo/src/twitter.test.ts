import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { timeOfSnowflake, TwitterUpstream } from "./twitter.js";

const MINUTE = 60_000;

let upstream: TwitterUpstream;
let time: number;

beforeEach(async () => {
  time = Date.UTC(2026, 10, 22, 12);
  upstream = await TwitterUpstream.start({ token: "secret", now: () => time });
});
afterEach(() => upstream.close());

interface Answer {
  data?: { id: string; text: string; demo: boolean; edit_history_tweet_ids: string[] }[];
  includes?: { users: { name: string }[] };
  meta: { next_token?: string; newest_id?: string; result_count: number };
}

async function ask(params: Record<string, string>, token = "secret"): Promise<Response> {
  const query = new URLSearchParams({ query: "kestrel", ...params });
  const headers = { Authorization: `Bearer ${token}` };
  return fetch(`${upstream.origin}/2/tweets/search/recent?${query.toString()}`, { headers });
}

const search = async (params: Record<string, string> = {}): Promise<Answer> =>
  (await (await ask(params)).json()) as Answer;

describe("the fake of X", () => {
  it("gives pages, newest first, until there is no next token", async () => {
    for (let number = 0; number < 12; number += 1) upstream.post({ at: time - number * MINUTE });
    const first = await search();
    const second = await search({ next_token: first.meta.next_token ?? "" });
    const ids = [...(first.data ?? []), ...(second.data ?? [])].map(({ id }) => id);
    expect(ids).toEqual([...ids].sort().reverse());
    expect([ids.length, second.meta.next_token, upstream.postsRead]).toEqual([12, undefined, 12]);
  });

  it("gives only what is newer than since_id, and no data if there is nothing", async () => {
    const id = upstream.post({ at: time - MINUTE });
    expect(timeOfSnowflake(id)).toBe(time - MINUTE);
    expect(await search({ since_id: id })).toEqual({ meta: { result_count: 0 } });
    const newer = upstream.post();
    expect((await search({ since_id: id })).data?.map((post) => post.id)).toEqual([newer]);
  });

  it("labels everything as invented", async () => {
    upstream.post();
    const { data, includes } = await search({ expansions: "author_id" });
    expect(data?.[0]?.demo).toBe(true);
    expect(includes?.users[0]?.name).toContain("Invented");
  });

  it("gives an edited post a new id and keeps the old one in its history", async () => {
    const id = upstream.post();
    time += MINUTE;
    const edited = upstream.edit(id, "The kestrel, corrected");
    expect((await search()).data).toMatchObject([{ id: edited, edit_history_tweet_ids: [id, edited] }]);
  });

  it.each([
    ["too few results", { max_results: "5" }],
    ["an id that is too old", { since_id: "1" }],
    ["a time that is too old", { start_time: "2026-11-01T00:00:00Z" }],
    ["an unknown parameter", { tweets: "all" }],
    ["a query that it cannot read", { query: "(kestrel" }],
  ])("refuses %s", async (_name, params) => {
    const answer = await ask(params);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ type: expect.stringContaining("invalid-request") as string });
  });

  it("counts requests in windows, and says when the next one begins", async () => {
    upstream.window.limit = 1;
    expect((await ask({})).headers.get("x-rate-limit-remaining")).toBe("0");
    const refused = await ask({});
    expect(refused.status).toBe(429);
    expect(refused.headers.get("x-rate-limit-reset")).toBe(String((time + 15 * MINUTE) / 1000));
    time += 15 * MINUTE;
    expect((await ask({})).status).toBe(200);
  });

  it("rejects another token", async () => {
    expect((await ask({}, "other")).status).toBe(401);
  });

  it.each([
    [{ kind: "status", status: 503 } as const, 503, /^\{\}$/],
    [{ kind: "web-page" } as const, 200, /^<!doctype html>/],
    [{ kind: "sign-in-page" } as const, 200, /^<!doctype html>/],
    [{ kind: "empty" } as const, 200, /^$/],
    [{ kind: "padded", bytes: 200_000 } as const, 200, /^ {200000,}\{/],
    [{ kind: "changed", change: () => [1] } as const, 200, /^\[1\]$/],
  ])("misbehaves once if so configured: %o", async (fault, status, body) => {
    upstream.failNext(fault);
    const answer = await ask({});
    expect(answer.status).toBe(status);
    expect(await answer.text()).toMatch(body);
    expect((await ask({})).status).toBe(200);
  });
});
