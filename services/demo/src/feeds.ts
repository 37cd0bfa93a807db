import { createHash } from "node:crypto";
import { inventPerson, inventText, randomOf } from "./invented.js";
import { Timeline } from "./timeline.js";
import { type Reply, Upstream, type UpstreamRequest } from "./upstream.js";

/** Entries of one document: feeds drop older ones. */
const ENTRIES_MAX = 200;

/** What a test or the demo decides about the fake. */
interface FeedUpstreamOptions {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Default: any free one. */
  readonly port?: number;
}

/** A server of feeds of publishers that do not exist: RSS 2.0 and Atom, with tags for conditional requests. */
export class FeedUpstream extends Upstream {
  readonly timeline = new Timeline<FeedArticle>();
  readonly publishers: readonly DemoPublisher[] = [DEMO_GAZETTE, DEMO_HAFENBLATT];
  private added = 0;

  private constructor(private readonly options: FeedUpstreamOptions) {
    super();
  }

  static start(options: FeedUpstreamOptions): Promise<FeedUpstream> {
    return new FeedUpstream(options).listen(options.port);
  }

  /** Addresses of all feeds. */
  get feeds(): readonly string[] {
    return this.publishers.map(({ path }) => this.origin + path);
  }

  /** Adds an invented article; default time: now. Returns its id. */
  post(values: Partial<FeedArticle> = {}): string {
    this.added += 1;
    const article = inventArticle(this.added, values.at ?? this.options.now(), values);
    this.timeline.add(article);
    return article.id;
  }

  protected respond({ method, path, headers }: UpstreamRequest): Reply {
    const publisher = this.publishers.find((each) => each.path === path);
    if (method !== "GET" || publisher === undefined) return { status: 404, body: "There is no such feed." };
    const wants = (article: FeedArticle): boolean => article.publisher === publisher;
    const { items } = this.timeline.page({ wants, limit: ENTRIES_MAX, token: undefined });
    const body = feedDocument(publisher, items);
    const tag = `"${createHash("sha256").update(body).digest("hex").slice(0, 32)}"`;
    const isKnown = headers["if-none-match"] === tag;
    return {
      status: isKnown ? 304 : 200,
      headers: { ETag: tag, "Content-Type": mediaTypeOf(publisher) },
      body: isKnown ? "" : body,
    };
  }
}

/** A publisher that does not exist, with one feed. */
interface DemoPublisher {
  readonly name: string;
  readonly format: "rss" | "atom";
  /** Path of the feed on the fake. */
  readonly path: string;
  /** An ISO 639-1 code. */
  readonly language: string;
  /** Host of its pages, which do not exist either. */
  readonly host: string;
}

/** An article as the fake keeps it. */
interface FeedArticle {
  /** Address of the page. */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly publisher: DemoPublisher;
  readonly title: string;
  readonly text: string;
  readonly author: string;
  readonly tags: readonly string[];
}

/** A publisher with a feed in RSS 2.0. */
export const DEMO_GAZETTE: DemoPublisher = {
  name: "Harbour Gazette (invented)",
  format: "rss",
  path: "/harbour-gazette.rss",
  language: "en",
  host: "harbour-gazette.example.org",
};

/** A publisher with a feed in Atom. */
export const DEMO_HAFENBLATT: DemoPublisher = {
  name: "Hafenblatt (erfunden)",
  format: "atom",
  path: "/hafenblatt.atom",
  language: "de",
  host: "hafenblatt.example.org",
};

/** An invented article of this number and time; `values` replaces parts of it. */
function inventArticle(number: number, at: number, values: Partial<FeedArticle> = {}): FeedArticle {
  const random = randomOf(number);
  const text = inventText(random);
  const publisher = values.publisher ?? DEMO_GAZETTE;
  return {
    id: `https://${publisher.host}/invented/${number}`,
    at,
    publisher,
    title: text.slice(0, text.indexOf(" and ")),
    text,
    author: inventPerson(random).name,
    tags: ["invented"],
    ...values,
  };
}

/** Domain of the category that marks an entry of a feed as invented: feeds have no field for that. */
const DEMO_DOMAIN = "urn:hourglass:demo";

/** The feed of a publisher as a document. */
function feedDocument(publisher: DemoPublisher, articles: readonly FeedArticle[]): string {
  return publisher.format === "rss" ? rssOf(publisher, articles) : atomOf(publisher, articles);
}

/** The media type of the document. */
function mediaTypeOf({ format }: DemoPublisher): string {
  return `application/${format}+xml; charset=utf-8`;
}

function rssOf({ name, host, language }: DemoPublisher, articles: readonly FeedArticle[]): string {
  const items = articles.map(
    ({ id, at, title, text, author, tags }) => `<item>
${element("guid", id)}${element("link", id)}${element("title", title)}${element("description", text)}
${element("dc:creator", author)}${element("pubDate", new Date(at).toUTCString())}
${tags.map((tag) => element("category", tag)).join("")}<category domain="${DEMO_DOMAIN}">demo</category>
</item>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel>
${element("title", name)}${element("link", `https://${host}/`)}
${element("description", "Invented news for a demonstration")}${element("language", language)}
${items.join("\n")}
</channel></rss>`;
}

function atomOf({ name, host, language }: DemoPublisher, articles: readonly FeedArticle[]): string {
  const entries = articles.map(
    ({ id, at, title, text, author, tags }) => `<entry>
${element("id", id)}<link href="${escaped(id)}"/>${element("title", title)}${element("summary", text)}
<author>${element("name", author)}</author>${element("published", new Date(at).toISOString())}
${element("updated", new Date(at).toISOString())}
${tags.map((tag) => `<category term="${escaped(tag)}"/>`).join("")}<category scheme="${DEMO_DOMAIN}" term="demo"/>
</entry>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${language}">
${element("id", `https://${host}/`)}${element("title", name)}
${element("updated", new Date(articles[0]?.at ?? 0).toISOString())}
${entries.join("\n")}
</feed>`;
}

function element(name: string, text: string): string {
  return `<${name}>${escaped(text)}</${name}>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
