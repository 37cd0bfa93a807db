import { htmlToText } from "../../html.js";
import type { PostingDraft } from "../../posting-draft.js";
import { articleIdOf } from "../identity.js";
import type { NewsapiArticle } from "./api.js";

const NAME_CHARACTERS_MAX = 500;

/** An article as a posting. Its beginning, which NewsAPI cuts, is matched, not kept. */
export function toPosting(article: NewsapiArticle): PostingDraft {
  const { url, publishedAt, urlToImage, source, demo } = article;
  const [title, description, content] = [article.title, article.description, article.content].map(plain);
  const name = source?.name ?? new URL(url).hostname;
  const text = [title, description === title ? "" : description].filter((part) => part !== "").join("\n\n");
  return {
    socialId: articleIdOf(url),
    url,
    postedAt: publishedAt,
    ...(text === "" ? {} : { text }),
    ...(content === "" || content === undefined ? {} : { matchText: content.replace(/… \[\+\d+ chars\]$/, "") }),
    type: "article",
    author: { username: name.slice(0, NAME_CHARACTERS_MAX), type: "publisher", ...authorOf(article) },
    ...(urlToImage === undefined ? {} : { media: [urlToImage] }),
    moreInfo: {
      source: "newsapi",
      ...(source?.id === undefined ? {} : { source_id: source.id.slice(0, NAME_CHARACTERS_MAX) }),
      ...(urlToImage === undefined ? {} : { image: urlToImage }),
      ...(demo === true ? { demo } : {}),
    },
  };
}

function authorOf({ author }: NewsapiArticle): { name?: string } {
  const name = author?.trim() ?? "";
  return name === "" ? {} : { name: name.slice(0, NAME_CHARACTERS_MAX) };
}

/** Some publishers' texts hold HTML. */
function plain(text: string | undefined): string {
  return text === undefined ? "" : htmlToText(text).text;
}
