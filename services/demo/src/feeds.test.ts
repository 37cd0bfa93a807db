import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DEMO_HAFENBLATT, FeedUpstream } from "./feeds.js";

let upstream: FeedUpstream;
let time: number;

beforeEach(async () => {
  time = Date.UTC(2026, 10, 22, 12);
  upstream = await FeedUpstream.start({ now: () => time });
});
afterEach(() => upstream.close());

const ask = (url = "", headers: Record<string, string> = {}) => fetch(url, { headers });

describe("the fake of publishers", () => {
  it("gives each publisher's articles as RSS or Atom, the newest first, and says that they are invented", async () => {
    upstream.post({ title: "First & <foremost>" });
    time += 60_000;
    upstream.post({ title: "Second" });
    upstream.post({ title: "Dritter", publisher: DEMO_HAFENBLATT });
    const [rss, atom] = upstream.feeds;
    const [english, german] = [await (await ask(rss)).text(), await (await ask(atom)).text()];
    const titles = (text: string) => [...text.matchAll(/<title>(.*?)<\/title>/g)].map(([, title]) => title);
    expect(titles(english)).toEqual(["Harbour Gazette (invented)", "Second", "First &amp; &lt;foremost&gt;"]);
    expect(titles(german)).toEqual(["Hafenblatt (erfunden)", "Dritter"]);
    expect(english.match(/<category domain="urn:hourglass:demo">demo<\/category>/g)).toHaveLength(2);
    expect(german.match(/<category scheme="urn:hourglass:demo" term="demo"\/>/g)).toHaveLength(1);
  });

  it("does not repeat a document whose tag the client has, until there is a new article", async () => {
    upstream.post();
    const [feed] = upstream.feeds;
    const tag = (await ask(feed)).headers.get("etag") ?? "";
    expect((await ask(feed, { "If-None-Match": tag })).status).toBe(304);
    upstream.post();
    expect((await ask(feed, { "If-None-Match": tag })).status).toBe(200);
  });

  it("has no other pages", async () => {
    expect((await ask(`${upstream.origin}/other.rss`)).status).toBe(404);
  });
});
