import type { PlatformSearch } from "../connector.js";
import type { YoutubeSearches } from "./dialect.js";

/** What the owner of a search should know. */
export function warningsOf(
  { requests, unsent }: YoutubeSearches,
  { places: { known }, preview }: Pick<PlatformSearch, "places" | "preview">,
): string[] {
  const hasPoint = known.some(({ kind }) => kind !== "country");
  const hasCountry = known.some(({ kind }) => kind === "country");
  return [
    ...unsent.map((term) => `YouTube cannot be asked for ${term}, so nothing is collected for it.`),
    ...(preview && requests.length > 1
      ? [`The preview asks YouTube the first of ${requests.length} searches only.`]
      : []),
    ...(hasPoint ? ["Around a place, YouTube finds only videos that state where they were recorded: few do."] : []),
    ...(hasCountry ? ["For a country, YouTube finds what may be watched there, wherever it was made."] : []),
  ];
}
