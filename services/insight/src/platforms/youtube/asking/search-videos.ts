import * as z from "zod";
import { readEach } from "../../schemas.js";
import type { Place } from "../../places.js";
import { type Asking, askYoutube, type YoutubeDeps } from "./ask-youtube.js";

/** Results of a page, of which more do not cost more. */
export const RESULTS_MAX = 50;

/** One page of a search. */
export interface VideoSearch {
  /** In YouTube's own language. */
  readonly query: string;
  /** Undefined: everywhere. */
  readonly place?: Place | undefined;
  readonly order: "date" | "relevance";
  /** Earliest time of publication, in milliseconds since the epoch; undefined: any. */
  readonly from?: number | undefined;
  readonly pageToken: string | null;
}

/** What a search finds; the rest about videos is asked for by their ids. */
export interface FoundVideos {
  /** Distinct. */
  readonly ids: readonly string[];
  readonly skipped: number;
  readonly next: string | null;
}

const resultSchema = z.object({ id: z.object({ videoId: z.string().regex(/^[\w-]{1,64}$/) }) });

/** Asks for one page of a search. Throws as `askYoutube`. */
export async function searchVideos(deps: YoutubeDeps, search: VideoSearch, asking: Asking): Promise<FoundVideos> {
  const list = await askYoutube(deps, { method: "search", parameters: parametersOf(search) }, asking);
  const { items, skipped } = readEach(list?.items, (item) => resultSchema.safeParse(item).data?.id.videoId);
  // YouTube states a next page behind empty ones, and each would cost a search.
  const next = items.length === 0 ? null : (list?.nextPageToken ?? null);
  return { ids: [...new Set(items)], skipped, next };
}

/** A city or the area of a zip code. */
const RADIUS = { city: "40km", zip: "16km" };

function parametersOf({ query, place, order, from, pageToken }: VideoSearch): Record<string, string> {
  return {
    part: "snippet",
    type: "video",
    q: query,
    order,
    maxResults: String(RESULTS_MAX),
    ...(place !== undefined && parametersOfPlace(place)),
    ...(from !== undefined && { publishedAfter: new Date(Math.floor(from / 1000) * 1000).toISOString() }),
    ...(pageToken !== null && { pageToken }),
  };
}

/** YouTube has no parameter for the country in which a video was made; this one finds what may be watched there. */
function parametersOfPlace(place: Place): Record<string, string> {
  if (place.kind === "country") return { regionCode: place.countryCode };
  return { location: `${place.latitude},${place.longitude}`, locationRadius: RADIUS[place.kind] };
}
