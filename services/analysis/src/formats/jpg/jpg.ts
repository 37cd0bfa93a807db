import type { Position, Reading } from "../byte-reading.js";
import { readJpgImage } from "./jpg-image.js";
import { readJpgTrailers } from "./jpg-trailers.js";
import type { InspectionLimits } from "../limits.js";
import type { ContentFacts } from "../media-facts.js";

/** Reads a JPG, including what cameras append to it. */
export function* readJpg(limits: InspectionLimits, at: Position): Reading<ContentFacts> {
  const { width, height, announcesFilm } = yield* readJpgImage(limits);
  yield* readJpgTrailers(announcesFilm, limits, at);
  return { format: "jpg", width, height, hasSound: false, hasPictures: true };
}
