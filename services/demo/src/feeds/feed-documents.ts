import type { FeedArticle, DemoPublisher } from "./feed-article.js";

/** Domain of the category by which an entry of a feed says that it is invented: feeds have no field for that. */
const DEMO_DOMAIN = "urn:hourglass:demo";

/** The feed of a publisher as a document. */
export function feedDocument(publisher: DemoPublisher, articles: readonly FeedArticle[]): string {
  return publisher.format === "rss" ? rssOf(publisher, articles) : atomOf(publisher, articles);
}

/** The media type of the document. */
export function mediaTypeOf({ format }: DemoPublisher): string {
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
