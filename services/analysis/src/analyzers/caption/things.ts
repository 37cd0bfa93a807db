import { ANIMAL_LABELS, FOOD_LABELS } from "../../vision/objects.js";
import type { NamedKind } from "../../vision/findings.js";
import { type Extent, type Scene, type Thing, thingsOf } from "../../vision/scene.js";

/** The number of objects of a kind; approximate unless `exact`. */
export interface Amount {
  count: number;
  exact: boolean;
}

/** Objects of a kind; the label is the detector's, the classifier's, or a broader one if that may be wrong. */
export interface Group extends Amount {
  label: string;
}

/**
 * The objects of a scene worth mentioning, without people. Next to a certain object, less certain ones of the same kind
 * are included: without them a herd would be reduced to its nearest animals.
 */
export const tellingThingsOf = (scene: Scene): Thing[] => {
  const { objects, aspect } = scene;
  const things = thingsOf(scene)
    .filter(({ label }) => !TRIFLES.has(label))
    .map((thing) => ({ ...thing, label: finerName(nameOf(thing.label, objects), scene.kind) }));
  const sure = new Set(
    things
      .filter(
        ({ label, prob, agreed }) =>
          prob >= (agreed ? AGREED_PROB_MIN : probMinOf(label)) || label === scene.kind?.name,
      )
      .filter(({ extent }) => isLarge(extent, aspect))
      .map(({ label }) => label),
  );
  // An unnamed animal beside a named one is most often of the same kind.
  if ([...sure].some((label) => ANIMAL_LABELS.has(label))) sure.delete(ANY_ANIMAL);
  return things.filter(({ label }) => sure.has(label));
};

/** The kinds, ordered by area. A number is exact if each object is certain and large enough. */
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
  // A few uncertain objects may be duplicates of the certain ones; many are not.
  return {
    count: sure >= 3 || expected >= HERD_MIN ? expected : Math.max(1, sure, Math.min(expected, 2)),
    exact: false,
  };
};

/**
 * What the picture shows as a whole, as a group of one unless the detector found it, too; undefined if it is not
 * certain enough, or what people wear is all there is.
 */
export const subjectOf = (scene: Scene, groups: readonly Group[]): Group | undefined => {
  const { kind } = scene;
  if (kind === undefined || groups.some(({ label }) => label === kind.name)) return undefined;
  // Of "a fish" and "an animal" the narrower name is enough; so it is of "a screen" and "a computer".
  if (groups.some(({ label }) => kind.groups.includes(label) && label !== ANY_ANIMAL)) return undefined;
  return { label: kind.name, count: 1, exact: true };
};

/** The classifier's name for a thing that the detector knows by a broader one: an owl is a bird to it. */
const finerName = (label: string, kind: Scene["kind"]): string =>
  kind !== undefined && (label === ANY_ANIMAL ? isAnimalKind(kind) : kind.groups.includes(label)) ? kind.name : label;

const isAnimalKind = ({ name, groups }: NamedKind): boolean => name === ANY_ANIMAL || groups.includes(ANY_ANIMAL);

/** Fruit and cakes have the fewest distinctive features: many round or bright objects are taken for them. */
const probMinOf = (label: string): number => {
  if (FOOD_LABELS.has(label)) return NAMED_PROB_MIN;
  return isAnimal(label) ? ANIMAL_PROB_MIN : THING_PROB_MIN;
};

/**
 * Broader names for objects that the detector may confuse with kinds it does not know: lorries and buses are sometimes
 * other vehicles, and animals other animals, bears most often.
 */
const nameOf = (label: string, objects: Scene["objects"]): string => {
  const wider = ANIMAL_LABELS.has(label) ? ANY_ANIMAL : VEHICLES_MISTAKEN.has(label) ? "vehicle" : undefined;
  if (wider === undefined) return label;
  const own = objects.filter((object) => object.label === label);
  if (own.some(({ agreed }) => agreed)) return label;
  const best = Math.max(...own.map(({ prob }) => prob));
  return label === "bear" || best < NAMED_PROB_MIN ? wider : label;
};

/** Whether the label names animals. */
export const isAnimal = (label: string): boolean => label === ANY_ANIMAL || ANIMAL_LABELS.has(label);

const areaOf = ({ width, height }: Extent): number => width * height;
const isLarge = (extent: Extent, aspect: number): boolean => areaOf(extent) >= AREA_MIN * aspect;

const ANY_ANIMAL = "animal";
const VEHICLES_MISTAKEN: ReadonlySet<string> = new Set(["bus", "truck"]);
/** Accessories that are not worth mentioning. */
const TRIFLES: ReadonlySet<string> = new Set(["tie", "handbag", "backpack"]);

/** For an object to be mentioned and counted. */
const THING_PROB_MIN = 0.75;
const ANIMAL_PROB_MIN = 0.7;
const NAMED_PROB_MIN = 0.87;
/** Subtracted before rounding, so that a second object is counted only if it is nearly certain. */
const ROUNDED_DOWN = 0.2;
const HERD_MIN = 4;
/** For one that the picture as a whole speaks for, too. */
const AGREED_PROB_MIN = 0.5;
/** Fraction of the frame. */
const AREA_MIN = 0.003;
