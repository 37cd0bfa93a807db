import { extentOf, sideOverlap, within, type Extent } from "../activity-id/extent.js";
import { recogniseActivities } from "../activity-id/recognise.js";
import type { Scene } from "../activity-id/scene.js";
import type { Detection, PrintedLine } from "../../visual.js";
import { peopleIn, type People } from "./people.js";

/** Things of a kind. */
export interface Group {
  label: string;
  count: number;
}

/** What stands in a place to something else. */
export interface Placement {
  /** `people` or a label. */
  what: string;
  where: "on" | "under" | "in front of";
  /** A label. */
  of: string;
}

/** What a sentence about a picture is made of. */
export interface Ingredients {
  people?: People;
  /** What someone does, a name of the closed list. */
  activity?: string;
  /** The most striking kinds of things, most striking first. */
  groups: readonly Group[];
  placement?: Placement;
  /** Print that is large and short. */
  words?: string;
}

/** What of a scene is sure enough to be told. */
export const ingredientsOf = (scene: Scene, lines: readonly PrintedLine[]): Ingredients => {
  const people = peopleIn(scene);
  const activity = people && activityOf(recogniseActivities(scene), people);
  const things = thingsOf(scene);
  const bodies = scene.objects
    .filter(({ label, prob }) => label === "person" && prob >= THING_PROB_MIN)
    .map(({ box }) => extentOf(box, scene.aspect));
  const groups = grouped(things).filter(
    ({ label }) => activity === undefined || (!activity.includes(label) && !USED_IN[activity]?.includes(label)),
  );
  const placement = placementOf(groups, things, people ? bodies : []);
  const words = wordsOf(lines, groups);
  return {
    ...(people ? { people } : {}),
    ...(activity ? { activity } : {}),
    groups: groups.slice(0, GROUPS_MAX),
    ...(placement ? { placement } : {}),
    ...(words ? { words } : {}),
  };
};

/**
 * Where one of a kind is sure, less sure ones count, too: without them a herd would be as small as its nearest animals.
 */
const thingsOf = ({ objects, aspect }: Scene): Thing[] => {
  const things = objects
    .filter(({ label }) => label !== "person" && !TRIFLES.has(label))
    .map(({ label, prob, box }) => ({ label: nameOf(label, objects), prob, extent: extentOf(box, aspect) }))
    .filter(({ extent }) => extent.width * extent.height >= AREA_MIN * aspect);
  const sure = new Set(
    things
      .filter(({ label, prob }) => prob >= (isAnimal(label) ? ANIMAL_PROB_MIN : THING_PROB_MIN))
      .map(({ label }) => label),
  );
  return things.filter(({ label }) => sure.has(label));
};

/** Animals that the detector does not know it calls after those that it knows, most often a bear. */
const nameOf = (label: string, objects: Scene["objects"]): string => {
  if (!ANIMALS.has(label)) return label;
  const best = Math.max(...objects.filter((object) => object.label === label).map(({ prob }) => prob));
  return label === "bear" || best < NAMED_ANIMAL_PROB_MIN ? "animal" : label;
};

const isAnimal = (label: string): boolean => label === "animal" || ANIMALS.has(label);

interface Thing extends Placed {
  label: string;
  prob: number;
}
interface Placed {
  extent: Extent;
}

/** The kinds by the room that they take. */
const grouped = (things: readonly Thing[]): Group[] => {
  const groups = new Map<string, { count: number; area: number }>();
  for (const { label, extent } of things) {
    const group = groups.get(label) ?? { count: 0, area: 0 };
    groups.set(label, { count: group.count + 1, area: group.area + extent.width * extent.height });
  }
  return [...groups].sort(([, a], [, b]) => b.area - a.area).map(([label, { count }]) => ({ label, count }));
};

/** What is done with a thing says more than how someone stands; of a crowd it is not said what one of it does. */
const activityOf = (activities: readonly Detection[], { count }: People): string | undefined => {
  const sure = activities.filter(({ value, prob }) => prob >= ACTIVITY_PROB_MIN && value !== "smiling");
  const telling = sure.filter(({ value }) => !POSTURES.has(value));
  const [best] = telling.length > 0 ? telling : sure;
  if (count > ACTIVE_MAX || (count > 1 && (telling.length === 0 || best?.value === "flying a kite"))) return undefined;
  return best?.value;
};

const placementOf = (
  groups: readonly Group[],
  things: readonly Thing[],
  bodies: readonly Extent[],
): Placement | undefined => {
  const shown = groups.slice(0, GROUPS_MAX).map(({ label }) => label);
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

/** How all of them stand to the base, when the boxes leave no doubt. */
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

/** Feet lower in the picture than the wheels are nearer. */
const isBefore = (one: Extent, vehicle: Extent): boolean =>
  within(one, vehicle) > 0.5 && one.height < vehicle.height * 1.1 && one.bottom > vehicle.bottom;

const wordsOf = (lines: readonly PrintedLine[], groups: readonly Group[]): string | undefined => {
  const [largest] = lines
    .filter(
      ({ prob, box, text }) =>
        prob >= WORDS_PROB_MIN && box.height >= WORDS_HEIGHT_MIN && /\p{L}{4}|\p{Script=Han}{2}/u.test(text),
    )
    .sort((a, b) => b.box.width * b.box.height - a.box.width * a.box.height);
  if (!largest || lines.length > LINES_MAX || largest.text.length > WORDS_LENGTH_MAX) return undefined;
  const told = groups.some(({ label }) => label.includes(largest.text.toLowerCase()));
  return told ? undefined : largest.text;
};

const ANIMALS: ReadonlySet<string> = new Set([
  "bird",
  "cat",
  "dog",
  "horse",
  "sheep",
  "cow",
  "elephant",
  "bear",
  "zebra",
  "giraffe",
]);
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
const VEHICLES: ReadonlySet<string> = new Set(["bus", "truck", "train", "airplane", "boat"]);
/** Parts of clothing, not worth a mention. */
const TRIFLES: ReadonlySet<string> = new Set(["tie", "handbag", "backpack"]);
const POSTURES: ReadonlySet<string> = new Set([
  "standing",
  "sitting",
  "squatting",
  "lunging",
  "bending over",
  "lying down",
]);
/** What the name of an activity does not say but means. */
const USED_IN: Readonly<Record<string, readonly string[]>> = {
  "playing tennis": ["tennis racket", "sports ball"],
  "playing baseball": ["baseball bat", "baseball glove", "sports ball"],
  "playing with a ball": ["sports ball"],
  "talking on the phone": ["cell phone"],
  "using a phone": ["cell phone"],
  skateboarding: ["skateboard"],
  surfing: ["surfboard"],
  skiing: ["skis"],
  snowboarding: ["snowboard"],
  drinking: ["cup", "wine glass", "bottle"],
  "brushing teeth": ["toothbrush"],
  eating: [
    "banana",
    "apple",
    "sandwich",
    "orange",
    "broccoli",
    "carrot",
    "hot dog",
    "pizza",
    "donut",
    "cake",
    "fork",
    "spoon",
  ],
};

const THING_PROB_MIN = 0.65;
const ANIMAL_PROB_MIN = 0.7;
const NAMED_ANIMAL_PROB_MIN = 0.82;
const ACTIVITY_PROB_MIN = 0.5;
const ACTIVE_MAX = 6;
const GROUPS_MAX = 3;
/** Part of the frame. */
const AREA_MIN = 0.003;
const WORDS_PROB_MIN = 0.95;
/** Part of the frame's height. */
const WORDS_HEIGHT_MIN = 0.04;
const WORDS_LENGTH_MAX = 30;
/** More lines are a text, not a sign. */
const LINES_MAX = 4;
