import { type Extent, sideOverlap, type Thing, within } from "../../vision/scene.js";
import { isAnimal, type Group } from "./things.js";

/** A spatial relation of one kind of object to another. */
export interface Placement {
  /** `people` or a label. */
  what: string;
  where: "on" | "under" | "in front of";
  /** A label. */
  of: string;
}

/** The first unambiguous relation between these kinds, or between people and a kind, by their boxes. */
export const placementOf = (
  groups: readonly Group[],
  things: readonly Thing[],
  bodies: readonly Extent[],
): Placement | undefined => {
  const shown = groups.map(({ label }) => label);
  for (const of of shown) {
    const bases = things.filter(({ label }) => label === of);
    if (bases.length !== 1) continue;
    const base = bases[0]!.extent;
    for (const what of [...(bodies.length > 0 ? ["people"] : []), ...shown]) {
      const placed =
        what === "people" ? bodies : things.filter(({ label }) => label === what).map(({ extent }) => extent);
      const where = what === of ? undefined : whereOf(placed, base, of, what);
      if (where) return { what, where, of };
    }
  }
  return undefined;
};

/** The relation of all of them to the base. */
const whereOf = (placed: readonly Extent[], base: Extent, of: string, what: string): Placement["where"] | undefined => {
  const every = (holds: (one: Extent) => boolean): boolean => placed.every(holds);
  if (SEATS.has(of) && (what === "people" || isAnimal(what)) && every((one) => isOn(one, base))) return "on";
  if (of === "dining table" && TABLEWARE.has(what) && every((one) => isOn(one, base))) return "on";
  if (of === "umbrella" && every((one) => isUnder(one, base))) return "under";
  if (VEHICLES.has(of) && what === "people" && every((one) => isBefore(one, base))) return "in front of";
  return undefined;
};

const isOn = (one: Extent, base: Extent): boolean =>
  sideOverlap(one, base) > 0.8 &&
  one.width < base.width &&
  one.bottom > base.top + 0.1 * base.height &&
  one.bottom < base.bottom &&
  one.top < base.bottom - 0.3 * base.height;

const isUnder = (one: Extent, cover: Extent): boolean =>
  sideOverlap(one, cover) > 0.7 && cover.top < one.top + 0.05 * one.height && cover.bottom < one.top + 0.5 * one.height;

/** Feet that are lower in the picture than the wheels are nearer to the camera. */
const isBefore = (one: Extent, vehicle: Extent): boolean =>
  within(one, vehicle) > 0.5 && one.height < vehicle.height * 1.1 && one.bottom > vehicle.bottom;

const SEATS: ReadonlySet<string> = new Set(["couch", "bench", "bed", "chair"]);
const TABLEWARE: ReadonlySet<string> = new Set([
  "cup",
  "bowl",
  "bottle",
  "wine glass",
  "laptop",
  "book",
  "pizza",
  "cake",
  "sandwich",
  "vase",
  "donut",
]);
const VEHICLES: ReadonlySet<string> = new Set(["bus", "truck", "vehicle", "train", "airplane", "boat"]);
