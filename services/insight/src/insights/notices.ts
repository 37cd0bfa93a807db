import type { SearchPlaces } from "../platforms/places.js";
import { connectorOf, isLocated, type Platforms } from "../platforms/registry.js";
import type { InsightQuery } from "../records/insight.js";

/** Confirms the creation of an insight, names the platforms that cannot collect yet, and says what the location means. */
export function noticeOfCreation(query: InsightQuery, platforms: Platforms, places: SearchPlaces): string {
  const location = sentencesOfLocation(query, platforms, places);
  return [beginning(query), ...missing(query, platforms), ...location].join(" ");
}

/** Confirms a pause. */
export const NOTICE_OF_PAUSE = "The search is paused. It collects nothing until it is resumed.";

/** Confirms that a search continues. */
export function noticeOfResume({ sneakPeek }: InsightQuery): string {
  return sneakPeek
    ? "The preview is resumed. It collects once and ends."
    : "The search is resumed. It collects continuously.";
}

function beginning({ sneakPeek, platforms }: InsightQuery): string {
  const where = platforms.join(", ");
  return sneakPeek
    ? `The search was created. A preview runs on ${where}.`
    : `The search was created. It runs continuously on ${where}.`;
}

function missing({ platforms: wanted, sneakPeek }: InsightQuery, platforms: Platforms): string[] {
  const unready = wanted.filter((name) => connectorOf(platforms, name) === undefined);
  if (unready.length === 0) return [];
  const isOne = unready.length === 1;
  const what = `This server is not configured for ${unready.join(", ")}`;
  // A preview ends without them: they never start, and it soon takes no imports.
  if (sneakPeek) return [`${what}; the preview leaves ${isOne ? "it" : "them"} out.`];
  const them = isOne ? "it starts by itself once it is" : "they start by themselves once they are";
  return [`${what}; ${them}. Meanwhile, postings can be imported.`];
}

/** Says what the location of a search means, and on which platforms it has no effect. */
export function sentencesOfLocation(
  { location, platforms: wanted }: InsightQuery,
  platforms: Platforms,
  { known, unknown }: SearchPlaces,
): string[] {
  if (location === "") return [];
  const meant = known.map(({ label }) => label).join("; ");
  const ignoring = wanted.filter((name) => !isLocated(platforms, name));
  return [
    ...(known.length > 0 ? [`The location means ${meant}.`] : []),
    ...unknown,
    ...(ignoring.length > 0 ? [`The location has no effect on ${ignoring.join(", ")}.`] : []),
  ];
}
