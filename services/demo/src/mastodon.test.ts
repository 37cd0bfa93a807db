import { afterEach, beforeEach, expect, it } from "vitest";
import { MastodonUpstream } from "./mastodon.js";

const NOW = Date.UTC(2026, 10, 22, 12);
let now = NOW;
let upstream: MastodonUpstream;

beforeEach(async () => {
  now = NOW;
  upstream = await MastodonUpstream.start({ now: () => now });
});
afterEach(() => upstream.close());

const ask = (path: string): Promise<Response> => fetch(new URL(path, upstream.origin));
const uris = async (answer: Response): Promise<string[]> =>
  ((await answer.json()) as { uri: string }[]).map(({ uri }) => uri);

it("gives a tag's postings, newest first, in pages that its Link header leads to", async () => {
  const ids = [3, 2, 1].map((minutes) => upstream.post({ at: NOW - minutes * 60_000 }));
  upstream.post({ at: NOW, tags: ["other"] });
  const first = await ask("/api/v1/timelines/tag/Kestrel?limit=2");
  expect(await uris(first)).toEqual([ids[2], ids[1]]);
  const [, next = ""] = /<([^>]+)>; rel="next"/.exec(first.headers.get("link") ?? "") ?? [];
  expect(await uris(await ask(next))).toEqual([ids[0]]);
});

it("shows what another server posted once it has arrived", async () => {
  const id = upstream.post({ at: NOW - 60_000, arrivedAt: NOW + 60_000 });
  expect(await uris(await ask("/api/v1/timelines/tag/kestrel"))).toEqual([]);
  now += 60_000;
  expect(await uris(await ask("/api/v1/timelines/tag/kestrel"))).toEqual([id]);
});

it("refuses more requests than it allows, and says when it takes them again", async () => {
  upstream.window.limit = 1;
  expect((await ask("/api/v1/timelines/tag/kestrel")).headers.get("x-ratelimit-remaining")).toBe("0");
  const refused = await ask("/api/v1/timelines/tag/kestrel");
  expect([refused.status, refused.headers.get("x-ratelimit-reset")]).toEqual([
    429,
    new Date(NOW + 300_000).toISOString(),
  ]);
});

it("shows nothing to the public if it is closed", async () => {
  upstream.isClosed = true;
  expect((await ask("/api/v1/timelines/tag/kestrel")).status).toBe(422);
});
