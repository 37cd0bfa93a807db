import fc from "fast-check";
import { expect, it } from "vitest";
import { numberedItems, rss } from "../testing/feeds.js";
import { NoFeedError } from "../feed/parse-feed.js";
import { readFeed } from "./read-feed.js";

const READ_AT = Date.parse("2026-11-22T12:00:00Z");
const ATOM = `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="de"><title>t</title><entry><id>urn:1</id>
<title type="html">&lt;b&gt;x&lt;/b&gt;</title><link rel="enclosure" href="/a.mp3" type="audio/mpeg" length="7"/>
<updated>2026-11-22T10:00:00Z</updated><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">y</div></content>
</entry></feed>`;
const JSON_FEED = { version: "https://jsonfeed.org/version/1.1", title: "t" };
const EXTRA =
  '<ttl>5</ttl><item><media:group><media:content url="/x.jpg" type="image/jpeg"/></media:group>' +
  "<georss:point>1 2</georss:point><slash:comments>3</slash:comments><category>c</category></item>";

/** Reads the document; whatever it is, the outcome is one that callers expect. */
function mustBehave(bytes: Uint8Array): void {
  try {
    const { postings } = readFeed({ bytes, url: "https://feeds.example.org/", name: "feed", readAt: READ_AT });
    expect(new Set(postings.map(({ socialId }) => socialId)).size).toBe(postings.length);
    for (const { postedAt } of postings) expect(Number.isSafeInteger(postedAt)).toBe(true);
    expect(JSON.parse(JSON.stringify(postings))).toEqual(postings);
  } catch (error) {
    if (!(error instanceof NoFeedError)) throw error;
  }
}

const mutation = fc.record({
  at: fc.nat(),
  cut: fc.nat(40),
  put: fc.oneof(fc.string(), fc.constantFrom("<", "]]>", "&#0;", "<![CDATA[", "<item>", "\0")),
});

it.each([
  ["RSS", rss(numberedItems(3, READ_AT), EXTRA)],
  ["Atom", ATOM],
  ["JSON Feed", JSON.stringify({ ...JSON_FEED, items: [{ id: 1, url: "/a", content_html: "<p>x", tags: ["t"] }] })],
])("reads %s that is damaged anywhere, or says that it is no feed", (_name, document) => {
  fc.assert(
    fc.property(fc.array(mutation, { minLength: 1, maxLength: 4 }), (mutations) => {
      let damaged = document;
      for (const { at, cut, put } of mutations) {
        const start = at % (damaged.length + 1);
        damaged = damaged.slice(0, start) + put + damaged.slice(start + cut);
      }
      mustBehave(Buffer.from(damaged));
    }),
    { numRuns: 300 },
  );
});

it("reads any bytes, or says that they are no feed", () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), mustBehave), { numRuns: 300 });
});

it("reads items of any shape in JSON Feed", () => {
  const field = fc.constantFrom(
    "id",
    "url",
    "title",
    "summary",
    "content_html",
    "tags",
    "authors",
    "attachments",
    "date_published",
    "image",
    "__proto__",
  );
  const item = fc.oneof(fc.jsonValue(), fc.dictionary(field, fc.jsonValue()));
  fc.assert(
    fc.property(fc.array(item, { maxLength: 5 }), (items) => {
      mustBehave(Buffer.from(JSON.stringify({ ...JSON_FEED, items })));
    }),
    { numRuns: 300 },
  );
});

it("reads any texts in the elements of RSS", () => {
  const text = fc.string({ unit: "binary", maxLength: 60 }).map((value) => `<![CDATA[${value}]]>`);
  const fields = fc.record(
    { guid: text, link: text, title: text, description: text, pubDate: text },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.array(fields, { maxLength: 5 }), (items) => mustBehave(Buffer.from(rss(items)))),
    { numRuns: 300 },
  );
});
