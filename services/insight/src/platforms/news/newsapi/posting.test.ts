import { describe, expect, it } from "vitest";
import { articleIdOf } from "../identity.js";
import { isRemoved, readArticle } from "./api.js";
import { toPosting } from "./posting.js";

const ARTICLE = {
  source: { id: "news-example", name: "News Example" },
  author: "A. Example",
  title: "Kestrel phone goes on sale",
  description: "Queues &amp; more <b>queues</b>.",
  url: "https://news.example.org/2026/11/20/kestrel",
  urlToImage: "https://news.example.org/i.jpg",
  publishedAt: "2026-11-20T08:00:00Z",
  content: "The phone went on sale… [+1916 chars]",
};

const postingOf = (values: Record<string, unknown>) => {
  const article = readArticle({ ...ARTICLE, ...values });
  return article && toPosting(article);
};

describe("an article of NewsAPI", () => {
  it("becomes a posting with title and description", () => {
    expect(postingOf({})).toEqual({
      socialId: articleIdOf(ARTICLE.url),
      url: ARTICLE.url,
      postedAt: Date.UTC(2026, 10, 20, 8),
      text: "Kestrel phone goes on sale\n\nQueues & more queues.",
      matchText: "The phone went on sale",
      type: "article",
      author: { username: "News Example", type: "publisher", name: "A. Example" },
      media: ["https://news.example.org/i.jpg"],
      moreInfo: { source: "newsapi", source_id: "news-example", image: "https://news.example.org/i.jpg" },
    });
  });

  it("without anything that may be missing has its title, and the host as publisher", () => {
    const nothing = { source: null, author: null, description: null, urlToImage: null, content: null };
    expect(postingOf(nothing)).toEqual({
      socialId: articleIdOf(ARTICLE.url),
      url: ARTICLE.url,
      postedAt: Date.UTC(2026, 10, 20, 8),
      text: "Kestrel phone goes on sale",
      type: "article",
      author: { username: "news.example.org", type: "publisher" },
      moreInfo: { source: "newsapi" },
    });
  });

  it.each([
    ["an address that is none of the web", { url: "javascript:alert(1)" }],
    ["no address", { url: null }],
    ["no title", { title: "" }],
    ["a time that is none", { publishedAt: "soon" }],
  ])("with %s is none", (_what, values) => {
    expect(postingOf(values)).toBeUndefined();
  });

  it("has no picture that is none of the web", () => {
    expect(postingOf({ urlToImage: "file:///etc/passwd" })).not.toHaveProperty("media");
  });

  it("that was taken down is a stub", () => {
    expect(isRemoved({ ...ARTICLE, title: "[Removed]" })).toBe(true);
    expect(isRemoved(ARTICLE)).toBe(false);
  });
});
