import { repeats } from "@hourglass/runtime/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { numberedItems, rss, type RssItem } from "../testing/feeds.js";
import { ENTRIES_MAX, type FeedReading, NoFeedError, readFeed } from "./read-feed.js";

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

const ATOM_NAMESPACE = "http://www.w3.org/2005/Atom";
const MEDIA_NAMESPACE = "http://search.yahoo.com/mrss/";

/** An Atom document; `attributes` are of its root. */
const atomFeed = (inner: string, attributes = ""): string =>
  `<?xml version="1.0"?><feed xmlns="${ATOM_NAMESPACE}" ${attributes}><title>t</title>${inner}</feed>`;

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
      media: ["https://cdn.example.org/a.mp3", "https://news.example.org/i/small.jpg"],
      moreInfo: {
        feed: "https://feeds.example.org/all/rss.xml",
        enclosures: [{ url: "https://cdn.example.org/a.mp3", type: "audio/mpeg", length: 1234 }],
        images: ["https://news.example.org/i/small.jpg"],
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

  it("keeps the longer one of body and summary, and has the other searched", () => {
    const footer = "<p>The post Harbour report appeared first on The Harbour.</p>";
    const extra = `<content:encoded><![CDATA[<p>The whole article tells of a broken crane.</p>${footer}]]></content:encoded>`;
    const posting = only({ title: "Harbour report", description: "A short teaser.", extra });
    expect(posting?.text).toBe("Harbour report\n\nThe whole article tells of a broken crane.");
    expect(posting?.matchText).toBe("A short teaser.");
  });

  it("keeps what its pictures show, in words, and all of its authors", () => {
    const posting = only({
      title: "Harbour today",
      description: '&lt;img src="/a.png" alt="Gulls over the pier"&gt;',
      extra:
        '<media:content url="https://m.example/p.png" type="image/png"><media:description>A red crane</media:description></media:content>' +
        "<author>ann@example.org (Ann Doe)</author><dc:creator>Ann Doe</dc:creator><dc:creator>Ben Roe</dc:creator>",
    });
    expect(posting?.author?.name).toBe("Ann Doe");
    expect(posting?.moreInfo).toMatchObject({
      authors: ["Ann Doe", "Ben Roe"],
      media_descriptions: ["A red crane", "Gulls over the pier"],
    });
  });

  it("keeps the line breaks of code", () => {
    const content =
      '<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><pre>first\n  second</pre>a\nb</div></content>';
    const [posting] = read(atomFeed(`<entry><id>1</id><title>Code</title>${content}</entry>`)).postings;
    expect(posting?.text).toBe("Code\n\nfirst\nsecond\n\na b");
  });

  it("keeps all digits of ids that JSON states as numbers", () => {
    const ids = ["9876543210987654300", "9876543210987654301"];
    const items = ids.map((id) => `{"id":${id},"content_text":"Note","date_published":"2026-11-20T08:00:00Z"}`);
    const feed = `{"version":"https://jsonfeed.org/version/1.1","title":"t","items":[${items.join(",")}]}`;
    expect(read(feed).postings.map(({ socialId }) => socialId)).toEqual(ids);
  });

  it("has the pictures of its text only if the feed names no others", () => {
    const description = '&lt;img src="/in-text.png"&gt;';
    expect(only({ title: "x", description })?.media).toEqual(["https://news.example.org/in-text.png"]);
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

describe("a relative reference", () => {
  const urlOf = (document: string) => read(document).postings[0]?.url;
  const entry = (link: string, attributes = "") => `<entry ${attributes}><id>1</id><title>x</title>${link}</entry>`;
  const item = (attributes = "") => `<item ${attributes}><title>x</title><link>b</link></item>`;
  const rssWith = (root: string, channel: string, inner: string) =>
    `<rss version="2.0" ${root}><channel ${channel}><title>t</title>${inner}</channel></rss>`;

  it.each([
    ["the base of its feed", atomFeed(entry('<link href="b"/>'), 'xml:base="https://blog.example/a/"')],
    ["nested bases", atomFeed(entry('<link href="b"/>', 'xml:base="a/"'), 'xml:base="https://blog.example/"')],
    [
      "an absolute base within another",
      atomFeed(entry('<link href="b"/>', 'xml:base="https://blog.example/a/"'), 'xml:base="https://x.example/"'),
    ],
    [
      "a base of the link itself",
      atomFeed(entry('<link href="b" xml:base="a/"/>'), 'xml:base="https://blog.example/"'),
    ],
    ["the base of RSS", rssWith('xml:base="https://blog.example/a/"', "", item())],
    ["the base of a channel", rssWith("", 'xml:base="https://blog.example/a/"', item())],
    ["the base of an item", rssWith("", "", item('xml:base="https://blog.example/a/"'))],
    ["the site of RSS that stands on another host", rssWith("", "", `<link>https://blog.example/a/</link>${item()}`)],
  ])("is resolved against %s", (_name, document) => {
    expect(urlOf(document)).toBe("https://blog.example/a/b");
  });

  it.each([
    ["there is no base", atomFeed(entry('<link href="b"/>'))],
    ["the base is none", atomFeed(entry('<link href="b"/>'), 'xml:base="http://["')],
    ["the site of RSS is on the same host", rssWith("", "", `<link>https://feeds.example.org/</link>${item()}`)],
    [
      "the format is JSON Feed",
      JSON.stringify({ title: "t", home_page_url: "https://x.example/", items: [{ url: "b" }] }),
    ],
  ])("is resolved against the address of the feed if %s", (_name, document) => {
    expect(urlOf(document)).toBe("https://feeds.example.org/all/b");
  });

  it("of a picture is resolved against the base of its text", () => {
    const content = '<content type="html" xml:base="https://img.example/">&lt;img src="a.jpg"&gt;</content>';
    const [posting] = read(atomFeed(entry(content), 'xml:base="https://blog.example/"')).postings;
    expect(posting?.media).toEqual(["https://img.example/a.jpg"]);
  });
});

describe("the title of RSS", () => {
  it.each([
    ["When to use &lt;main&gt; and &lt;aside&gt;", "When to use <main> and <aside>"],
    ["<![CDATA[When to use <main> and &lt;b&gt;]]>", "When to use <main> and <b>"],
    ["&lt;Suspense&gt;x&lt;/Suspense&gt; explained", "<Suspense>x</Suspense> explained"],
    ["The &lt;br&gt; element", "The <br> element"],
    ["Map&lt;string, number&gt; and a &lt; b", "Map<string, number> and a < b"],
    ["&lt;b&gt;bold&lt;/b&gt; and &lt;i class='x'&gt;both&lt;/i&gt;", "bold and both"],
    ["<![CDATA[one<br/>two <img src='a.png'>]]>", "one two"],
    ["AT&amp;amp;T isn&amp;#8217;t", "AT&T isn’t"],
    ["two\n      lines", "two lines"],
  ])("%s is plain unless all its tags mark up text", (title, text) => {
    expect(only({ title })?.text).toBe(text);
  });
});

describe("the text of an entry", () => {
  const textsOf = (document: string) => {
    const [posting] = read(document).postings;
    return [posting?.text, posting?.matchText].filter((text) => text !== undefined);
  };
  const prefixed = 'xmlns:m="http://search.yahoo.com/mrss" xmlns:p="http://www.itunes.com/dtds/podcast-1.0.dtd"';
  const item = (inner: string) => rss([{ extra: inner }]).replace("<rss ", `<rss ${prefixed} `);
  const entry = (inner: string) => atomFeed(`<entry><id>1</id>${inner}</entry>`, `xmlns:media="${MEDIA_NAMESPACE}"`);

  it.each([
    ["content:encoded", item("<content:encoded><![CDATA[<p>Body</p>]]></content:encoded>")],
    ["description without escapes", item("<description><p>Body</p></description>")],
    ["dc:description", item("<dc:description>Body</dc:description>")],
    ["media:description", item("<media:description type='html'>&lt;p&gt;Body&lt;/p&gt;</media:description>")],
    [
      "a media:group",
      item("<media:group><media:content url='a.mp4'/><media:description>Body</media:description></media:group>"),
    ],
    ["media:content", item("<m:content url='a.mp4'><m:description>Body</m:description></m:content>")],
    ["itunes:summary", item("<p:summary>Body</p:summary>")],
    ["atom:summary", item(`<a:summary xmlns:a="${ATOM_NAMESPACE}" type="html">&lt;p&gt;Body&lt;/p&gt;</a:summary>`)],
    ["body of XHTML", item('<body xmlns="http://www.w3.org/1999/xhtml"><p>Body</p></body>')],
    ["xhtml:body", item('<x:body xmlns:x="http://www.w3.org/1999/xhtml"><x:p>Body</x:p></x:body>')],
    ["yandex:full-text", item('<y:full-text xmlns:y="http://news.yandex.ru">Body</y:full-text>')],
    ["content of type text", entry("<content>Body</content>")],
    ["content of type html", entry('<content type="html">&lt;p&gt;Body&lt;/p&gt;</content>')],
    ["content of type text/html", entry('<content type="text/html"><![CDATA[<p>Body</p>]]></content>')],
    [
      "content of type xhtml",
      entry('<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>Body</p></div></content>'),
    ],
    ["media:description of a film", entry("<media:group><media:description>Body</media:description></media:group>")],
    ["content_html", JSON.stringify({ title: "t", items: [{ id: 1, content_html: "<p>Body</p>" }] })],
    ["content_text", JSON.stringify({ title: "t", items: [{ id: 1, content_text: "Body" }] })],
    ["summary of JSON Feed", JSON.stringify({ title: "t", items: [{ id: 1, summary: "Body" }] })],
  ])("may be in %s", (_name, document) => {
    expect(textsOf(document)).toEqual(["Body"]);
  });

  it("is of the entry, not of its files, if it has both", () => {
    const media = "<media:content url='a.jpg'><media:description>A photo</media:description></media:content>";
    expect(textsOf(item(`<description>Body</description>${media}`))).toEqual(["Body"]);
  });

  it("in Atom keeps what looks like markup if it is plain, and is stripped of it if not", () => {
    expect(textsOf(entry('<title>a &lt;b&gt; c</title><summary type="html">a &lt;b&gt;b&lt;/b&gt;</summary>'))).toEqual(
      ["a <b> c\n\na b"],
    );
  });

  it("in XHTML keeps what is escaped", () => {
    const xhtml = '<div xmlns="http://www.w3.org/1999/xhtml">a &lt;b&gt; <![CDATA[<i>]]> <em>c</em></div>';
    expect(textsOf(entry(`<content type="xhtml">${xhtml}</content>`))).toEqual(["a <b> <i> c"]);
  });

  it("is no picture in Base64 and no document elsewhere, which is its link", () => {
    expect(textsOf(entry('<title>x</title><content type="image/png">iVBORw0KGgo=</content>'))).toEqual(["x"]);
    const elsewhere = entry('<title>x</title><content type="text/html" src="https://a.example/doc"/>');
    expect(read(elsewhere).postings[0]).toMatchObject({ text: "x", url: "https://a.example/doc" });
  });
});

describe("the link of an entry", () => {
  const linkOf = (inner: string, format: "RSS" | "Atom") => {
    const document =
      format === "RSS" ? rss([{ title: "x", extra: inner }]) : atomFeed(`<entry><title>x</title>${inner}</entry>`);
    return read(document.replace("<rss ", `<rss xmlns:atom="${ATOM_NAMESPACE}" `)).postings[0]?.url;
  };
  const page = "https://a.example/page";

  it.each([
    ["Atom", `<link rel="self" href="https://a.example/api"/><link rel="alternate" href="${page}"/>`],
    ["Atom", `<link type="application/json" href="https://a.example/json"/><link type="text/html" href="${page}"/>`],
    ["Atom", `<link rel="enclosure" href="https://a.example/a.mp3"/><link rel="self" href="${page}"/>`],
    ["Atom", `<link rel="replies" href="https://a.example/r"/><link rel="related" href="${page}"/>`],
    ["RSS", `<link/><link>${page}</link>`],
    ["RSS", `<link href="${page}"/>`],
    ["RSS", `<atom:link rel="self" href="https://a.example/api"/><atom:link href="${page}"/>`],
    ["RSS", `<guid>${page}</guid>`],
    ["RSS", `<guid isPermaLink="true"> ${page} </guid>`],
  ] as const)("is that of its page: %s %s", (format, inner) => {
    expect(linkOf(inner, format)).toBe(page);
  });

  it("is no guid that is not permanent, and no file", () => {
    expect(linkOf(`<guid isPermaLink="false">${page}</guid>`, "RSS")).toBeUndefined();
    expect(linkOf('<link rel="enclosure" href="https://a.example/a.mp3"/>', "Atom")).toBeUndefined();
  });
});

describe("a document that breaks off", () => {
  const items: RssItem[] = [1, 2, 3].map((number) => ({
    title: `Ship ${number}`,
    description: "<![CDATA[<p>not the end: </item></channel></rss></p>]]>",
    guid: `urn:x:${number}`,
    pubDate: "Sun, 22 Nov 2026 10:00:00 GMT",
  }));
  const entries = items.map(({ title, guid }) => `<entry><title>${title}</title><id>${guid}</id></entry>`);
  const json = { version: "https://jsonfeed.org/version/1.1", title: 't "{', authors: [{ name: "a" }] };

  it.each([
    ["RSS", rss(items)],
    ["Atom", atomFeed(entries.join("\n"))],
    [
      "JSON Feed",
      JSON.stringify({ ...json, items: items.map(({ title, guid }) => ({ id: guid, title, tags: ["{}"] })) }),
    ],
  ])("anywhere gives the entries of %s that are whole, and nothing of the others", (_format, document) => {
    const whole = read(document);
    expect([whole.postings.length, whole.isTruncated]).toEqual([3, false]);
    for (let length = 1; length < document.trimEnd().length; length++) {
      const cut = document.slice(0, length);
      if (reasonOf(cut) !== "a feed") continue;
      const { postings, isTruncated } = read(cut);
      expect(postings).toEqual(whole.postings.slice(0, postings.length));
      expect(isTruncated).toBe(true);
    }
    const last = document.indexOf("Ship 3");
    expect(read(document.slice(0, last)).postings).toHaveLength(2);
  });

  it("within its first entry is broken", () => {
    expect(reasonOf(rss(items).slice(0, rss(items).indexOf("Ship 1") + 6))).toBe("broken");
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

  it.each([
    ["an element without an end", "<item><title>a</title><foo></item><item><title>b</title></item>"],
    ["an end without an element", "<item><title>a</title></foo></item><item><title>b</title></item>"],
    ["an entry without an end", "<item><title>a</title><item><title>b</title></item>"],
    ["elements that overlap", "<item><title>a</title><x><y></x></y></item><item><title>b</title></item>"],
    [
      "an old entry in a comment",
      "<!-- <item><title>old</title></item> --><item><title>a</title></item><item><title>b</title></item>",
    ],
    [
      "attributes without quotes",
      "<item><title>a</title><enclosure url=b.mp3 length=1></item><item><title>b</title></item>",
    ],
    ["an entry outside its channel", "<item><title>a</title></item></channel><item><title>b</title></item>"],
  ])("with %s loses no entry", (_name, items) => {
    const { postings, isTruncated } = read(rss([], items));
    expect([postings.map(({ text }) => text), isTruncated]).toEqual([["a", "b"], false]);
  });

  it("in RSS 1.0 is read whole, whatever its list of contents names", () => {
    const rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";
    const contents = '<items><r:Seq><r:li r:resource="urn:1"/></r:Seq></items>';
    const items = ["urn:1", "urn:2"].map((about) => `<item r:about="${about}"><title>${about}</title></item>`).join("");
    const document = `<r:RDF xmlns:r="${rdf}" xmlns="http://purl.org/rss/1.0/"><channel>${contents}</channel>${items}</r:RDF>`;
    expect(read(document).postings.map(({ socialId }) => socialId)).toEqual(["urn:1", "urn:2"]);
  });

  it.each([
    ["before", (document: string) => `<br />\n<b>Warning</b>: unknown & <odd>${document}`],
    ["behind", (document: string) => `${document}\n<!-- 12 queries --><script>if (a < b) x();</script><item>`],
  ])("with what its server adds %s is read", (_name, spoil) => {
    const { postings, isTruncated } = read(spoil(rss([{ title: "a" }])));
    expect([postings.map(({ text }) => text), isTruncated]).toEqual([["a"], false]);
  });

  it.each([
    ["elements", "<b>".repeat(200_000)],
    ["entries within elements", `<item>${"<b>".repeat(100_000)}${"<item/>".repeat(100_000)}`],
    ["prefixes", '<b xmlns:a="urn:x">'.repeat(50_000)],
    ["ends", `<item><b>${"</i></b><b>".repeat(100_000)}`],
    ["comments", "<!--".repeat(300_000)],
    ["sections", "<item><title><![CDATA[".repeat(50_000)],
    ["marks", `<item><title>${"<!".repeat(500_000)}</title></item>`],
    ["tags in a title", `<item><title>${"&lt;b&gt;".repeat(100_000)}</title></item>`],
  ])("of a million characters of %s is read before the test is over", (_name, inner) => {
    expect(["a feed", "broken"]).toContain(reasonOf(rss([], inner)));
  });

  it("with a stray angle bracket keeps the text around it", () => {
    expect(only({ title: "I <3 Kestrel", description: "<![CDATA[<p>1</p>]]>" })?.text).toBe("I <3 Kestrel\n\n1");
  });

  it("expands no entities that it declares, and reads no files", () => {
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
    { numRuns: repeats(300) },
  );
});

it("reads any bytes, or says that they are no feed", () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), mustBehave), { numRuns: repeats(300) });
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
    { numRuns: repeats(300) },
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
    { numRuns: repeats(300) },
  );
});
