import { AppError } from "@hourglass/runtime";
import { placesOf } from "./locations/location.js";
import { EVERYWHERE, type SearchPlaces } from "./platforms/places.js";
import { isLocated, type Platforms } from "./platforms/registry.js";
import type { InsightQuery } from "./store/records.js";

/**
 * What the location of a query means, if a platform of it collects by place. Throws AppError `invalid` that names `field` if
 * no part of the location is known: without it, the search would collect from the whole world.
 */
export async function placesOfQuery(
  { location, platforms: wanted }: Pick<InsightQuery, "location" | "platforms">,
  platforms: Platforms,
  field = "query.location",
): Promise<SearchPlaces> {
  if (!wanted.some((name) => isLocated(platforms, name))) return EVERYWHERE;
  const places = await placesOf(location);
  if (places.known.length > 0 || places.unknown.length === 0) return places;
  throw AppError.invalid([{ field, message: places.unknown.join(" ") }]);
}
