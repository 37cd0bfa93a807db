import { readRows } from "../../rows.js";
import type { Sample } from "../../sample.js";

/** Tweets with a sentiment, by language, which is also their source. */
export const multilingualTweets = (dataDir: string): ReadonlyMap<string, Sample[]> => {
  const rows = readRows(dataDir, "sentiment-multilingual", "dev");
  const languages = [...new Set(rows.map(({ lang = "und" }) => lang))].sort();
  const samples = new Map<string, Sample[]>(languages.map((language) => [language, []]));
  for (const { text, label = "", lang = "und" } of rows) {
    samples.get(lang)?.push({ text, shares: { [label]: 1 }, weight: 1, source: lang });
  }
  return samples;
};
