import { setImmediate } from "node:timers/promises";
import { EVERYWHERE, type Place, type SearchPlaces } from "../platforms/places.js";
import { type Gazetteer, openGazetteer } from "./gazetteer/gazetteer.js";
import { readPlace } from "./read-place.js";

/** A location with more is cut short: each place costs requests, and a look-up some milliseconds. */
const PLACES_MAX = 20;
/** Locations whose places a process keeps. */
const KEPT_MAX = 500;

const BETWEEN_GROUPS = /[;；؛]/u;
const BETWEEN_PARTS = /[,，、،]/u;

const kept = new Map<string, SearchPlaces>();

/**
 * What a location means: places separated by semicolons, or by commas unless a part says where the one before it lies
 * (`Paris, France`). Nothing is guessed and nobody is asked: the gazetteer of this release decides.
 */
export async function placesOf(location: string): Promise<SearchPlaces> {
  const text = location.trim();
  if (text === "") return EVERYWHERE;
  const earlier = kept.get(text);
  if (earlier !== undefined) return earlier;
  const places = await readLocation(text, await openGazetteer());
  if (kept.size >= KEPT_MAX) kept.clear();
  kept.set(text, places);
  return places;
}

async function readLocation(text: string, gazetteer: Gazetteer): Promise<SearchPlaces> {
  const known = new Map<string, Place>();
  const unknown = new Set<string>();
  let count = 0;
  for (const group of text.split(BETWEEN_GROUPS)) {
    const parts = group
      .split(BETWEEN_PARTS)
      .map((part) => part.trim())
      .filter((part) => part !== "");
    for (let at = 0; at < parts.length; count += 1) {
      if (count >= PLACES_MAX) {
        unknown.add(`A location has at most ${PLACES_MAX} places: the others are left out.`);
        return { known: [...known.values()], unknown: [...unknown] };
      }
      const { meaning, taken } = readPlace(parts.slice(at), gazetteer);
      if ("place" in meaning) known.set(meaning.place.label, meaning.place);
      else unknown.add(meaning.problem);
      at += taken;
      // A location of many places must not hold up other requests.
      await setImmediate();
    }
  }
  if (count === 0) unknown.add("The location names no place.");
  return { known: [...known.values()], unknown: [...unknown] };
}
