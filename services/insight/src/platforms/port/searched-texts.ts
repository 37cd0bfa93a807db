import type { PostingDraft } from "./posting-draft.js";
import type { SearchedTexts } from "../../query/match/matcher.js";

/** What of a posting the query language searches. */
export function searchedTextsOf(draft: PostingDraft): SearchedTexts {
  const { text = "", tags = [], taggedUsers = [], moreInfo, matchText } = draft;
  const titles = [moreInfo?.["title"], matchText].filter((title) => typeof title === "string");
  return { text, tags, mentions: taggedUsers, ...(titles.length > 0 && { title: titles.join("\n\n") }) };
}
