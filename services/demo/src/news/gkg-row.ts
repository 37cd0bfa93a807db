import type { DemoArticle } from "./article.js";

const COLUMNS = 27;
const [RECORD_ID, DATE, COLLECTION, SOURCE, URL_OF, PERSONS, ORGANISATIONS] = [0, 1, 2, 3, 4, 11, 13];
const [TONE, IMAGE, ALL_NAMES, TRANSLATION, EXTRAS] = [15, 18, 23, 25, 26];

/** The time of a file as GDELT writes it, such as `20261122121500`. */
export function fileTimeOf(time: number): string {
  return new Date(time).toISOString().replaceAll(/\.\d+|\D/g, "");
}

/** An article as a row of GKG 2.1; `changed` replaces columns by their number. */
export function gkgRow(
  article: DemoArticle,
  { number, time }: { readonly number: number; readonly time: number },
  changed: Readonly<Record<number, string>> = {},
): string {
  const { translatedFrom } = article;
  const row: string[] = Array.from({ length: COLUMNS }, () => "");
  row[RECORD_ID] = `${fileTimeOf(time)}-${translatedFrom === undefined ? "" : "T"}${number}`;
  row[DATE] = fileTimeOf(time);
  row[COLLECTION] = "1";
  row[SOURCE] = article.source.name;
  row[URL_OF] = article.url;
  row[PERSONS] = article.author.name.toLowerCase();
  row[ORGANISATIONS] = "demo makers association";
  row[TONE] = "1.5,3,1.5,4.5,20,0.5,200";
  row[IMAGE] = article.image ?? "";
  row[ALL_NAMES] = article.names.map((name, index) => `${name},${index * 100}`).join(";");
  row[TRANSLATION] = translatedFrom === undefined ? "" : `srclc:${translatedFrom};eng:Moses 2.1.1`;
  row[EXTRAS] = `<PAGE_LINKS></PAGE_LINKS><PAGE_TITLE>${escaped(article.title)}</PAGE_TITLE>`;
  for (const [column, value] of Object.entries(changed)) row[Number(column)] = value;
  return row.join("\t");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll("'", "&#x27;");
}
