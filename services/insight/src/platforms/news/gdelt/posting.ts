import { foldName } from "@hourglass/runtime/text";
import * as z from "zod";
import { htmlToText } from "../../html.js";
import type { PostingDraft } from "../../posting-draft.js";
import { maybe } from "../../schemas.js";
import { articleIdOf } from "../identity.js";

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

/** Each name on its own line, so that no phrase is found across two. */
function namesOf({ persons, organizations, allNames }: GkgRow): string {
  const plain = allNames.map((name) => name.replace(/,\d+$/, ""));
  const distinct = new Map([...persons, ...organizations, ...plain].map((name) => [foldName(name), name]));
  return [...distinct.values()].join("\n").slice(0, NAMES_CHARACTERS_MAX);
}

/** ISO 639-1 where there is a code. */
function languageOf({ translatedFrom }: GkgRow): Pick<PostingDraft, "language"> {
  if (translatedFrom === undefined) return { language: ENGLISH };
  const [language] = Intl.getCanonicalLocales(translatedFrom);
  return language === undefined ? {} : { language };
}

const COLUMNS = 27;
const [DATE, COLLECTION, SOURCE, DOCUMENT, PERSONS, ORGANIZATIONS] = [1, 2, 3, 4, 11, 13];
const [IMAGE, ALL_NAMES, TRANSLATION, EXTRAS] = [18, 23, 25, 26];
/** The document is a page of the web; its identifier is then a URL. */
const WEB = "1";
const URL_CHARACTERS_MAX = 2048;

const webUrl = z.url({ protocol: /^https?$/ }).max(URL_CHARACTERS_MAX);
const names = z.string().transform((text) => text.split(";").filter((name) => name !== ""));

const rowSchema = z.object({
  /** When GDELT saw it: the time of its file. */
  seenAt: z.string().transform(readGdeltTime).pipe(z.number()),
  collection: z.literal(WEB),
  source: maybe(z.string().min(1).max(200)),
  url: webUrl,
  title: z.string().min(1),
  image: maybe(webUrl),
  persons: names,
  organizations: names,
  /** Each with its place in the text, such as `Kestrel Phone,1234`. */
  allNames: names,
  /** ISO 639-2 code of the language from which GDELT has translated it; undefined: it is English. */
  translatedFrom: maybe(z.string().regex(/^[a-z]{3}$/)),
});

/** An article as a row of GKG 2.1 states it. */
type GkgRow = z.output<typeof rowSchema>;

/** Undefined for a row without 27 columns, for what is no page of the web, and for one without title, URL or time. */
export function readRow(line: string): GkgRow | undefined {
  const columns = line.split("\t");
  if (columns.length !== COLUMNS) return undefined;
  const column = (index: number): string => columns[index]!.trim();
  return rowSchema.safeParse({
    seenAt: column(DATE),
    collection: column(COLLECTION),
    source: column(SOURCE),
    url: column(DOCUMENT),
    title: /<PAGE_TITLE>([\s\S]*?)<\/PAGE_TITLE>/.exec(column(EXTRAS))?.[1]?.trim(),
    image: column(IMAGE),
    persons: column(PERSONS),
    organizations: column(ORGANIZATIONS),
    allNames: column(ALL_NAMES),
    translatedFrom: /(?:^|;)srclc:([a-z]{3})(?:;|$)/.exec(column(TRANSLATION))?.[1],
  }).data;
}

/** A time such as `20261122121500`, of UTC, in milliseconds since the epoch; undefined if there is no such time. */
export function readGdeltTime(digits: string): number | undefined {
  const iso = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(digits)?.slice(1);
  if (iso === undefined) return undefined;
  const [year, month, day, hour, minute, second] = iso;
  const written = `${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`;
  const time = Date.parse(written);
  return Number.isFinite(time) && new Date(time).toISOString() === written ? time : undefined;
}
