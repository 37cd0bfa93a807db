import { wordsOf } from "../query/words.js";
import { checkNames, limitOf, timeOf, tokenOf } from "./parameters.js";
import { RequestRefused } from "./problem.js";
import { readQuery } from "./query.js";
import type { DemoVideo } from "./video.js";

const RESULTS_MAX = 50;
const KNOWN = [
  ...["q", "type", "order", "maxResults", "pageToken", "publishedAfter", "publishedBefore", "regionCode"],
  ...["relevanceLanguage", "location", "locationRadius", "safeSearch"],
];

/** A search as YouTube understands it. */
export interface SearchRequest {
  readonly finds: (video: DemoVideo) => boolean;
  readonly limit: number;
  readonly token: string | undefined;
}

/** Reads the parameters of a search. Throws RequestRefused. */
export function readSearch(query: URLSearchParams, now: number): SearchRequest {
  checkNames(query, KNOWN);
  if (query.get("type") !== "video") throw new RequestRefused(400, "invalidSearchFilter", "This fake finds videos.");
  if (!["date", "relevance"].includes(query.get("order") ?? "relevance")) {
    throw new RequestRefused(400, "invalidSearchFilter", "The order is not known.");
  }
  const isThere = readPlace(query);
  const matches = readQuery(query.get("q") ?? "");
  const from = timeOf(query, "publishedAfter") ?? -Infinity;
  const until = timeOf(query, "publishedBefore") ?? Infinity;
  return {
    finds: (video) =>
      video.indexedAt <= now &&
      video.at >= from &&
      video.at < until &&
      isThere(video) &&
      matches(wordsOf([video.title, video.description, ...video.tags].join(" | "))),
    limit: limitOf(query, RESULTS_MAX),
    token: tokenOf(query),
  };
}

const KM: Readonly<Record<string, number>> = { m: 0.001, km: 1, ft: 0.000_304_8, mi: 1.609_344 };
const EARTH_RADIUS_KM = 6371;

/** A place and its radius belong together; videos without a place are nowhere. */
function readPlace(query: URLSearchParams): (video: DemoVideo) => boolean {
  const [location, radius] = [query.get("location"), query.get("locationRadius")];
  if (location === null && radius === null) return () => true;
  const point = /^(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?)$/.exec(location ?? "");
  if (point === null) throw new RequestRefused(400, "invalidLocation", "The location is not valid.");
  const extent = /^(\d+(?:\.\d+)?)(m|km|ft|mi)$/.exec(radius ?? "");
  if (extent === null) throw new RequestRefused(400, "invalidLocationRadius", "The locationRadius is not valid.");
  const center = { latitude: Number(point[1]), longitude: Number(point[2]) };
  const km = Number(extent[1]) * (KM[extent[2] ?? "km"] ?? 1);
  return ({ place }) => place !== undefined && distanceKm(place, center) <= km;
}

interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

/** By the haversine formula. */
function distanceKm(a: Point, b: Point): number {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180;
  const north = Math.sin(radians(b.latitude - a.latitude) / 2) ** 2;
  const east = Math.sin(radians(b.longitude - a.longitude) / 2) ** 2;
  const cosines = Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude));
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.sqrt(north + cosines * east));
}
