import * as z from "zod";
import { maybe } from "../../../schemas.js";
import { readGdeltTime } from "./gdelt-time.js";

const COLUMNS = 27;
const [DATE, COLLECTION, SOURCE, DOCUMENT, PERSONS, ORGANISATIONS] = [1, 2, 3, 4, 11, 13];
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
  organisations: names,
  /** Each with its place in the text, such as `Kestrel Phone,1234`. */
  allNames: names,
  /** ISO 639-2 code of the language from which GDELT has translated it; undefined: it is English. */
  translatedFrom: maybe(z.string().regex(/^[a-z]{3}$/)),
});

/** An article as a row of GKG 2.1 states it. */
export type GkgRow = z.output<typeof rowSchema>;

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
    organisations: column(ORGANISATIONS),
    allNames: column(ALL_NAMES),
    translatedFrom: /(?:^|;)srclc:([a-z]{3})(?:;|$)/.exec(column(TRANSLATION))?.[1],
  }).data;
}
