import type { PostingDraft } from "../../../posting-draft.js";
import { htmlToText } from "../../../html.js";
import { articleIdOf } from "../../posting/identity.js";
import type { GkgRow } from "./gkg-row.js";

const ENGLISH = "en";
const TEXT_CHARACTERS_MAX = 2000;
const NAMES_CHARACTERS_MAX = 4000;

/**
 * An article as a posting. GDELT gives its title, and the names that stand in it: these are matched, not kept. Undefined for
 * a title without text.
 */
export function toPosting(row: GkgRow): PostingDraft | undefined {
  const { url, seenAt, image, source } = row;
  const text = htmlToText(row.title).text.slice(0, TEXT_CHARACTERS_MAX);
  if (text === "") return undefined;
  const names = namesOf(row);
  const domain = source ?? new URL(url).hostname;
  return {
    socialId: articleIdOf(url),
    url,
    postedAt: seenAt,
    text,
    ...(names === "" ? {} : { matchText: names }),
    ...languageOf(row),
    type: "article",
    author: { username: domain, type: "publisher" },
    ...(image === undefined ? {} : { media: [image] }),
    // GDELT states when it saw an article, not when it was published.
    moreInfo: { source: "gdelt", domain, date: "first_seen", ...(image === undefined ? {} : { image }) },
  };
}

/** Each name on a line of its own, so that no phrase is found across two. */
function namesOf({ persons, organisations, allNames }: GkgRow): string {
  const plain = allNames.map((name) => name.replace(/,\d+$/, ""));
  const distinct = new Map([...persons, ...organisations, ...plain].map((name) => [name.toLowerCase(), name]));
  return [...distinct.values()].join("\n").slice(0, NAMES_CHARACTERS_MAX);
}

/** ISO 639-1 where there is a code. */
function languageOf({ translatedFrom }: GkgRow): Pick<PostingDraft, "language"> {
  if (translatedFrom === undefined) return { language: ENGLISH };
  const [language] = Intl.getCanonicalLocales(translatedFrom);
  return language === undefined ? {} : { language };
}
