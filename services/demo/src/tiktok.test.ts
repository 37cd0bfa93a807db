import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { TiktokUpstream } from "./tiktok.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const CONDITION = { operation: "EQ", field_name: "keyword", field_values: ["kestrel"] };

let upstream: TiktokUpstream;
let time: number;
let token: string;

beforeEach(async () => {
  time = Date.UTC(2026, 10, 22, 12);
  upstream = await TiktokUpstream.start({ key: "client", secret: "secret", now: () => time });
  token = ((await (await grant("secret")).json()) as { access_token: string }).access_token;
});
afterEach(() => upstream.close());

function grant(secret: string): Promise<Response> {
  const form = { client_key: "client", client_secret: secret, grant_type: "client_credentials" };
  return fetch(`${upstream.origin}/v2/oauth/token/`, {
    method: "POST",
    body: new URLSearchParams(form).toString(),
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
  });
}

function ask(values: Record<string, unknown> = {}, fields = "id,create_time"): Promise<Response> {
  const body = { query: { and: [CONDITION] }, start_date: "20261101", end_date: "20261122", max_count: 10, ...values };
  return fetch(`${upstream.origin}/v2/research/video/query/?fields=${fields}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
}

interface Answer {
  data: { videos: Record<string, unknown>[]; cursor: number; has_more: boolean; search_id: string };
  error: { code: string };
}

const search = async (values: Record<string, unknown> = {}): Promise<Answer> =>
  (await (await ask(values)).json()) as Answer;

describe("the fake of TikTok", () => {
  it("gives pages by cursor and search_id until there are no more", async () => {
    for (let number = 0; number < 12; number += 1) upstream.post({ at: time - number * MINUTE });
    const { data } = await search();
    const second = await search({ cursor: data.cursor, search_id: data.search_id });
    expect([data.videos.length, data.has_more, second.data.videos.length, second.data.has_more]).toEqual([
      10,
      true,
      2,
      false,
    ]);
  });

  it("gives ids as numbers with all their digits, and says that its videos are invented", async () => {
    const id = upstream.post();
    const text = await (await ask()).text();
    expect(text).toContain(`"id":${id},`);
    expect(text).toContain('"demo":true');
  });

  it("gives the videos of whole days", async () => {
    upstream.post({ at: Date.UTC(2026, 10, 20, 23, 59) });
    upstream.post({ at: Date.UTC(2026, 10, 21) });
    expect((await search({ start_date: "20261120", end_date: "20261120" })).data.videos).toHaveLength(1);
  });

  it("joins conditions: all of and, any of or, none of not", async () => {
    upstream.post({ text: "A kestrel on a wire #bird" });
    upstream.post({ text: "A kestrel in a box #phone" });
    const tag = (name: string) => ({ operation: "IN", field_name: "hashtag_name", field_values: [name] });
    expect((await search({ query: { or: [tag("bird"), tag("phone")] } })).data.videos).toHaveLength(2);
    expect((await search({ query: { and: [CONDITION], not: [tag("Bird")] } })).data.videos).toHaveLength(1);
  });

  it("gives videos by their ids", async () => {
    const [id, other] = [upstream.post(), upstream.post()];
    upstream.post();
    const asked = { operation: "IN", field_name: "video_id", field_values: [id, other, "7"] };
    expect((await search({ query: { and: [asked] } })).data.videos).toHaveLength(2);
  });

  it.each([
    ["no condition", { query: {} }],
    ["a field that it does not know", { query: { and: [{ ...CONDITION, field_name: "color" }] } }],
    ["several values for EQ", { query: { and: [{ ...CONDITION, field_values: ["a", "b"] }] } }],
    ["more than 30 days", { start_date: "20261001" }],
    ["no date", { end_date: "22 November" }],
    ["too many videos", { max_count: 101 }],
    ["a search that it has forgotten", { search_id: "1", cursor: 10 }],
    ["a parameter that it does not know", { location: "Leeds" }],
  ])("refuses %s", async (_name, values) => {
    const answer = await ask(values);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ data: {}, error: { code: "invalid_params" } });
  });

  it("gives tokens for two hours to its client only", async () => {
    expect((await grant("wrong")).status).toBe(400);
    expect((await ask()).status).toBe(200);
    time += 2 * HOUR;
    expect(await (await ask()).json()).toMatchObject({ error: { code: "access_token_invalid" } });
  });

  it("counts requests of a day, and knows clients that are not approved", async () => {
    upstream.quota.limit = 1;
    await ask();
    expect(await (await ask()).json()).toMatchObject({ error: { code: "daily_quota_limit_exceeded" } });
    upstream.isApproved = false;
    expect((await ask()).status).toBe(401);
  });
});
