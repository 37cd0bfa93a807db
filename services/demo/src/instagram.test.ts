import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MetaUpstream } from "./meta.js";

const DAY = 24 * 60 * 60_000;

let upstream: MetaUpstream;
let time: number;

beforeEach(async () => {
  time = Date.UTC(2026, 10, 22, 12);
  upstream = await MetaUpstream.start({ token: "secret", userId: "17", now: () => time });
});
afterEach(() => upstream.close());

interface Answer {
  data: Record<string, unknown>[];
  paging?: { cursors: { after: string } };
  error?: { code: number };
  business_discovery?: { username: string; media: Answer };
}

async function ask(path: string, params: Record<string, string> = {}): Promise<Answer> {
  const query = new URLSearchParams({ access_token: "secret", user_id: "17", ...params });
  return (await (await fetch(`${upstream.origin}/v25.0${path}?${query.toString()}`)).json()) as Answer;
}

const idOf = async (q: string): Promise<string> => String((await ask("/ig_hashtag_search", { q })).data[0]?.["id"]);

describe("the fake of Instagram", () => {
  it("gives what carries a hashtag and is no older than a day, without its author", async () => {
    const id = upstream.instagram.post({ at: time - 1 });
    upstream.instagram.post({ at: time - 2 * DAY });
    upstream.instagram.post({ at: time - 1, caption: "Without it" });
    const { data } = await ask(`/${await idOf("Kestrel")}/recent_media`, { fields: "id,caption,username" });
    expect(data).toMatchObject([{ id, demo: true }]);
    expect(data[0]).not.toHaveProperty("username");
  });

  it("pages, by the same cursor if so configured", async () => {
    upstream.instagram.sameCursor = true;
    for (let number = 0; number < 5; number += 1) upstream.instagram.post({ at: time - number });
    const path = `/${await idOf("kestrel")}/recent_media`;
    const first = await ask(path, { limit: "2" });
    const after = first.paging?.cursors.after ?? "";
    const [second, third] = [await ask(path, { limit: "2", after }), await ask(path, { limit: "2", after })];
    expect(second.paging?.cursors.after).toBe(after);
    expect([...first.data, ...second.data, ...third.data]).toHaveLength(5);
    expect(third).not.toHaveProperty("paging");
  });

  it("gives the media of an account, which states more, and knows no others", async () => {
    upstream.instagram.post({ type: "CAROUSEL_ALBUM" });
    const fields = (name: string): string =>
      `business_discovery.username(${name}){username,media.limit(5){id,username,children{id}}}`;
    const { business_discovery: account } = await ask("/17", { fields: fields("kestrel_demo") });
    expect(account).toMatchObject({ username: "kestrel_demo", media: { data: [{ username: "kestrel_demo" }] } });
    expect(account?.media.data[0]).toHaveProperty("children");
    expect(await ask("/17", { fields: fields("nobody") })).toMatchObject({ error: { code: 110 } });
  });

  it("counts different hashtags for a week, each once", async () => {
    for (let number = 0; number < 30; number += 1) await idOf(`word${number}`);
    await idOf("word0");
    expect(await ask("/ig_hashtag_search", { q: "another" })).toMatchObject({ error: { code: 18 } });
    expect((await ask("/17/recently_searched_hashtags")).data).toHaveLength(30);
    time += 7 * DAY;
    expect(await ask("/ig_hashtag_search", { q: "another" })).not.toHaveProperty("error");
  });

  it.each([
    ["/ig_hashtag_search", { q: "two words" }, 24],
    ["/ig_hashtag_search", { q: "kestrel", user_id: "18" }, 100],
    ["/999/recent_media", {}, 100],
    ["/17", { fields: "business_discovery.username(x){" }, 100],
  ])("refuses %s with %j", async (path, params, code) => {
    expect(await ask(path, params)).toMatchObject({ error: { code } });
  });
});
