import { ANIMAL_LABELS, FOOD_LABELS } from "../../vision/objects/index.js";
import type { Extent } from "../../vision/scene/extent.js";
import type { Scene } from "../../vision/scene/scene.js";
import { type Thing, thingsOf } from "../../vision/scene/thing.js";
import type { Amount } from "./nouns.js";

/** Things of a kind; the label is one of the detector's, or a wider one where that may be wrong. */
export interface Group extends Amount {
  label: string;
}

/**
 * The things of a scene that are worth telling, people left out. Where one of a kind is sure, less sure ones come with it:
 * without them a herd would be as small as its nearest animals.
 */
export const tellingThingsOf = (scene: Scene): Thing[] => {
  const { objects, aspect } = scene;
  const things = thingsOf(scene)
    .filter(({ label }) => !TRIFLES.has(label))
    .map((thing) => ({ ...thing, label: nameOf(thing.label, objects) }));
  const sure = new Set(
    things
      .filter(({ label, prob }) => prob >= probMinOf(label))
      .filter(({ extent }) => isLarge(extent, aspect))
      .map(({ label }) => label),
  );
  // What has no name beside an animal that has one is most often the same kind.
  if ([...sure].some((label) => ANIMAL_LABELS.has(label))) sure.delete(ANY_ANIMAL);
  return things.filter(({ label }) => sure.has(label));
};

/** The kinds by the room that they take. Their number is exact when each of them is sure and large enough to be sure of. */
export const groupsOf = (things: readonly Thing[], aspect: number): Group[] => {
  const kinds = new Map<string, { members: Thing[]; area: number }>();
  for (const thing of things) {
    const kind = kinds.get(thing.label) ?? { members: [], area: 0 };
    kind.members.push(thing);
    kind.area += areaOf(thing.extent);
    kinds.set(thing.label, kind);
  }
  return [...kinds]
    .sort(([, a], [, b]) => b.area - a.area)
    .map(([label, { members }]) => ({ label, ...amountOf(members, aspect) }));
};

const amountOf = (members: readonly Thing[], aspect: number): Amount => {
  const sure = members.filter(({ prob, extent }) => prob >= THING_PROB_MIN && isLarge(extent, aspect)).length;
  if (sure === members.length || members.length === 1) return { count: members.length, exact: true };
  const expected = Math.round(members.reduce((sum, { prob }) => sum + prob, 0) - ROUNDED_DOWN);
  // Some weak ones may be the sure ones again; many are not.
  return {
    count: sure >= 3 || expected >= HERD_MIN ? expected : Math.max(1, sure, Math.min(expected, 2)),
    exact: false,
  };
};

/** Fruit and cakes have the fewest features of their own: much that is round or bright is taken for them. */
const probMinOf = (label: string): number => {
  if (FOOD_LABELS.has(label)) return NAMED_PROB_MIN;
  return isAnimal(label) ? ANIMAL_PROB_MIN : THING_PROB_MIN;
};

/**
 * What the detector takes for one of its kinds it may not know: lorries and buses are other vehicles at times, and animals
 * others, bears most often.
 */
const nameOf = (label: string, objects: Scene["objects"]): string => {
  const wider = ANIMAL_LABELS.has(label) ? ANY_ANIMAL : VEHICLES_MISTAKEN.has(label) ? "vehicle" : undefined;
  if (wider === undefined) return label;
  const best = Math.max(...objects.filter((object) => object.label === label).map(({ prob }) => prob));
  return label === "bear" || best < NAMED_PROB_MIN ? wider : label;
};

/** Whether the label is of animals. */
export const isAnimal = (label: string): boolean => label === ANY_ANIMAL || ANIMAL_LABELS.has(label);

const areaOf = ({ width, height }: Extent): number => width * height;
const isLarge = (extent: Extent, aspect: number): boolean => areaOf(extent) >= AREA_MIN * aspect;

const ANY_ANIMAL = "animal";
const VEHICLES_MISTAKEN: ReadonlySet<string> = new Set(["bus", "truck"]);
/** Parts of clothing, not worth a mention. */
const TRIFLES: ReadonlySet<string> = new Set(["tie", "handbag", "backpack"]);

/** Of a thing that is told and counted. */
const THING_PROB_MIN = 0.75;
const ANIMAL_PROB_MIN = 0.7;
const NAMED_PROB_MIN = 0.87;
/** So that a second one is told only when there is hardly a doubt. */
const ROUNDED_DOWN = 0.2;
const HERD_MIN = 4;
/** Part of the frame. */
const AREA_MIN = 0.003;
