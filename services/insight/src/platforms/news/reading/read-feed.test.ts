import { describe, expect, it } from "vitest";
import { rss, type RssItem } from "../testing/feeds.js";
import type { NoFeedError } from "../feed/parse-feed.js";
import { ENTRIES_MAX, type FeedReading, readFeed } from "./read-feed.js";

const READ_AT = Date.parse("2026-11-22T12:00:00Z");

function read(document: string | Uint8Array, contentType?: string): FeedReading {
  const bytes = typeof document === "string" ? Buffer.from(document) : document;
  return readFeed({
    bytes,
    contentType,
    url: "https://feeds.example.org/all/rss.xml",
    name: "https://feeds.example.org/all/rss.xml",
    readAt: READ_AT,
  });
}

const only = (item: RssItem, channel?: string) => read(rss([item], channel)).postings[0];

function reasonOf(document: string): unknown {
  try {
    read(document);
    return "a feed";
  } catch (error) {
    return (error as NoFeedError).reason;
  }
}

describe("an entry", () => {
  it("becomes a posting with all that the feed states", () => {
    const posting = only(
      {
        guid: "https://news.example.org/?p=7",
        link: "https://news.example.org/kestrel",
        title: "Kestrel &amp; co. on sale",
        description: "&lt;p&gt;The phone &lt;b&gt;arrives&lt;/b&gt;.&lt;/p&gt;",
        pubDate: "Sun, 22 Nov 2026 10:00:00 +0100",
        extra:
          "<category>Phones</category><category> Birds </category><dc:creator>A. Example</dc:creator>" +
          "<slash:comments>12</slash:comments><georss:point>53.8008 -1.5491</georss:point>" +
          '<enclosure url="https://cdn.example.org/a.mp3" type="audio/mpeg" length="1234"/>' +
          '<media:thumbnail url="/i/small.jpg"/><content:encoded><![CDATA[<p>All of the article</p>]]></content:encoded>',
      },
      "<language>en-GB</language>",
    );
    expect(posting).toEqual({
      socialId: "https://news.example.org/?p=7",
      url: "https://news.example.org/kestrel",
      postedAt: Date.parse("2026-11-22T09:00:00Z"),
      text: "Kestrel & co. on sale\n\nThe phone arrives.",
      matchText: "All of the article",
      language: "en",
      type: "article",
      tags: ["Phones", "Birds"],
      place: { geo: "-1.5491,53.8008" },
      author: { username: "news.example.org", type: "publisher", name: "A. Example" },
      counts: { comment_count: 12 },
      media: ["https://cdn.example.org/a.mp3", "https://feeds.example.org/i/small.jpg"],
      moreInfo: {
        feed: "https://feeds.example.org/all/rss.xml",
        enclosures: [{ url: "https://cdn.example.org/a.mp3", type: "audio/mpeg", length: 1234 }],
        images: ["https://feeds.example.org/i/small.jpg"],
      },
    });
  });

  it.each([
    [
      "RSS",
      rss([{ title: "x", extra: '<category>Birds</category><category domain="urn:hourglass:demo">demo</category>' }]),
    ],
    [
      "Atom",
      '<feed xmlns="http://www.w3.org/2005/Atom"><id>f</id><title>f</title><entry><id>e</id><title>x</title>' +
        '<category term="Birds"/><category scheme="urn:hourglass:demo" term="demo"/></entry></feed>',
    ],
  ])("is marked as invented if a category of %s says so, which is then no tag", (_format, document) => {
    const [posting] = read(document).postings;
    expect([posting?.moreInfo?.["demo"], posting?.tags]).toEqual([true, ["Birds"]]);
  });

  it("without a time that can be read has the time of reading, and says so", () => {
    for (const pubDate of ["soon", ""]) {
      expect(only({ title: "Kestrel", pubDate })).toMatchObject({
        postedAt: READ_AT,
        moreInfo: { date: "first_seen" },
      });
    }
  });

  it("takes the next statement of the time if the first one cannot be read", () => {
    const extra = "<dc:date>2026-11-20T08:00:00Z</dc:date>";
    expect(only({ title: "Kestrel", pubDate: "soon", extra })?.postedAt).toBe(Date.parse("2026-11-20T08:00:00Z"));
  });

  it("shows its whole content if there is no summary", () => {
    const posting = only({ title: "Kestrel", extra: "<content:encoded><![CDATA[<p>All</p>]]></content:encoded>" });
    expect(posting?.text).toBe("Kestrel\n\nAll");
    expect(posting).not.toHaveProperty("matchText");
  });

  it("has the pictures of its text only if the feed names no others", () => {
    const description = '&lt;img src="/in-text.png"&gt;';
    expect(only({ title: "x", description })?.media).toEqual(["https://feeds.example.org/in-text.png"]);
    const extra = '<media:content medium="image" url="https://cdn.example.org/big"/>';
    expect(only({ title: "x", description, extra })?.media).toEqual(["https://cdn.example.org/big"]);
  });

  it("has no URL and no files that are not of the web", () => {
    const extra = '<enclosure url="file:///etc/passwd" type="image/png"/>';
    const posting = only({ title: "x", link: "javascript:alert(1)", extra });
    expect(posting).not.toHaveProperty("url");
    expect(posting).not.toHaveProperty("media");
  });

  it("without title, text and link is skipped and counted", () => {
    const { postings, skipped } = read(rss([{ title: "x" }, { guid: "1" }, { description: "&lt;img&gt;" }]));
    expect([postings.length, skipped]).toEqual([1, 2]);
  });
});

describe("the identity of an entry", () => {
  const idsOf = (items: readonly RssItem[]) => read(rss(items)).postings.map(({ socialId }) => socialId);
  const [a, b] = ["https://news.example.org/a", "https://news.example.org/b"];

  it("is its guid, else its link, else made of title and date", () => {
    const [first, second, third] = idsOf([{ guid: "g", link: a, title: "x" }, { link: b, title: "y" }, { title: "z" }]);
    expect([first, second]).toEqual(["g", b]);
    expect(third).toMatch(/^[0-9a-f]{32}$/);
  });

  it("is its link if another entry has the same guid", () => {
    expect(
      idsOf([
        { guid: "g", link: a, title: "x" },
        { guid: "g", link: b, title: "y" },
      ]),
    ).toEqual([a, b]);
  });

  it("is made of title and date if another entry has the same guid and link", () => {
    const ids = idsOf([
      { guid: "g", link: a, title: "x" },
      { guid: "g", link: a, title: "y" },
    ]);
    expect(new Set(ids).size).toBe(2);
    expect(ids).not.toContain(a);
  });

  it("is the same if the entry stands twice", () => {
    expect(
      idsOf([
        { guid: "g", link: a, title: "x" },
        { guid: "g", link: a, title: "x" },
      ]),
    ).toEqual(["g"]);
  });

  it("is stated with the host of the feed if it is unique there only", () => {
    expect(only({ guid: "17", title: "x" })).toMatchObject({ socialId: "17", socialIdScope: "feeds.example.org" });
    expect(only({ guid: "urn:x:17", title: "x" })).not.toHaveProperty("socialIdScope");
  });
});

describe("a feed", () => {
  it.each([
    [
      "RSS 0.91 with its document type",
      '<!DOCTYPE rss PUBLIC "-//Netscape Communications//DTD RSS 0.91//EN" "http://my.netscape.com/rss-0.91.dtd">' +
        '<rss version="0.91"><channel><title>t</title><item><title>Kestrel</title></item></channel></rss>',
    ],
    ["RSS without version", "<rss><channel><item><title>Kestrel</title></item></channel></rss>"],
    [
      "RSS 1.0",
      '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"><channel>' +
        '<title>t</title></channel><item rdf:about="https://a.example/1"><title>Kestrel</title></item></rdf:RDF>',
    ],
    [
      "Atom",
      '<feed xmlns="http://www.w3.org/2005/Atom"><title>t</title><entry><id>urn:1</id><title>Kestrel</title></entry></feed>',
    ],
    [
      "JSON Feed",
      JSON.stringify({
        version: "https://jsonfeed.org/version/1.1",
        title: "t",
        items: [{ id: 1, content_html: "<p>Kestrel</p>" }],
      }),
    ],
  ])("may be %s", (_name, document) => {
    expect(read(document).postings.map(({ text }) => text)).toEqual(["Kestrel"]);
  });

  it.each([
    ["white space before the declaration", `\n \ufeff${rss([{ title: "Kestrel" }])}`],
    ["no end", rss([{ title: "Kestrel" }]).replace("</channel></rss>", "")],
    ["half an item at its end", rss([{ title: "Kestrel" }]).replace("</channel></rss>", "<item><title>half")],
    ["names of HTML characters", rss([{ title: "Kestrel&nbsp;" }])],
    ["ampersands that are not escaped", rss([{ title: "Kestrel", link: "https://a.example/?a=1&b=2" }])],
    ["angle brackets that are not escaped", rss([{ title: "Kestrel", description: "I <3 it" }]).replace("I <3 it", "")],
    ["control characters", rss([{ title: "Kestrel\u0001\u000b" }]).replace("\u0001\u000b", "\u0001")],
  ])("with %s is read", (_name, document) => {
    expect(read(document).postings[0]?.text).toMatch(/^Kestrel/);
  });

  it("with a stray angle bracket keeps the text around it", () => {
    expect(only({ title: "I <3 Kestrel", description: "<![CDATA[<p>1</p>]]>" })?.text).toBe("I <3 Kestrel\n\n1");
  });

  it("expands no entities of its own and reads no files", () => {
    const laughs = Array.from({ length: 20 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(20)}">`).join("");
    const types = `<!DOCTYPE rss [<!ENTITY l0 "ha">${laughs}<!ENTITY file SYSTEM "file:///etc/passwd">]>`;
    const document = rss([{ title: "Kestrel &l20; &file;" }]).replace("<rss", `${types}<rss`);
    expect(read(document).postings[0]?.text).toBe("Kestrel &l20; &file;");
  });

  it("states when it wants to be read", () => {
    const channel =
      "<ttl>60</ttl><sy:updatePeriod>hourly</sy:updatePeriod><sy:updateFrequency>2</sy:updateFrequency>" +
      "<skipHours><hour>3</hour><hour>4</hour></skipHours>" +
      "<skipDays><day>Saturday</day><day>Sunday</day></skipDays>";
    expect(read(rss([], channel)).wishes).toEqual({
      ttlMinutes: 60,
      updatePeriod: "hourly",
      updateFrequency: 2,
      skipHours: [3, 4],
      skipDays: ["Saturday", "Sunday"],
    });
  });

  it("is cut after its first entries", () => {
    const items = Array.from({ length: ENTRIES_MAX + 5 }, (_, index) => ({ guid: `g${index}`, title: `${index}` }));
    const { postings, isCut } = read(rss(items));
    expect([postings.length, isCut]).toEqual([ENTRIES_MAX, true]);
  });
});

it.each([
  ["html", "<!DOCTYPE html><html><body><p>Please sign in</p></body></html>"],
  ["html", "\n<html><head></head></html>"],
  ["empty", ""],
  ["unknown", "hello"],
  ["unknown", '{"items": []}'],
  ["broken", `<rss version="2.0"><channel><item><a>${"<b>".repeat(5000)}`],
])("calls a document that is no feed %s", (reason, document) => {
  expect(reasonOf(document)).toBe(reason);
});
