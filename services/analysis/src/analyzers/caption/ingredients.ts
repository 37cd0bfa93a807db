import type { Detection, PrintedLine } from "../../types.js";
import { recognizeActivities } from "../../vision/activity-rules.js";
import { MADE } from "../../vision/findings.js";
import { FOOD_LABELS, VESSEL_LABELS } from "../../vision/objects.js";
import { type Extent, extentOf, type Scene, sideOverlap, type Thing, within } from "../../vision/scene.js";
import { type People, peopleIn } from "./people.js";
import { type Group, groupsOf, isAnimal, subjectOf, tellingThingsOf } from "./things.js";

/** The parts of a sentence about a picture. */
export interface Ingredients {
  people?: People;
  /** The activity, a name of the closed list. */
  activity?: string;
  /** The most prominent kinds of objects, most prominent first. */
  groups: readonly Group[];
  /** Whether the people are small beside what the picture shows. */
  inScene?: boolean;
  placement?: Placement;
  /** Large, short print. */
  words?: string;
}

/** The parts of a scene that are certain enough to mention. */
export const ingredientsOf = (scene: Scene, lines: readonly PrintedLine[]): Ingredients => {
  if (scene.kind !== undefined && MADE.has(scene.kind.name)) return madeOf(scene.kind.name, lines);
  const people = peopleIn(scene);
  const activity = people && activityOf(recognizeActivities(scene), people);
  const things = tellingThingsOf(scene);
  const found = groupsOf(things, scene.aspect);
  const subject = subjectOf(scene, found);
  const groups = [...(subject ? [subject] : []), ...found]
    .filter(({ label }) => activity === undefined || (!activity.includes(label) && !USED_IN[activity]?.includes(label)))
    .slice(0, GROUPS_MAX);
  const placement = placementOf(groups, things, people?.exact === true ? bodiesOf(scene) : []);
  const words = wordsOf(lines, groups) ?? (subject?.label === GRAPHIC ? titleOf(lines) : undefined);
  return {
    ...(people ? { people } : {}),
    ...(activity ? { activity } : {}),
    groups,
    ...(subject && people && areSmall(scene) ? { inScene: true } : {}),
    ...(placement ? { placement } : {}),
    ...(words ? { words } : {}),
  };
};

/** A picture that is no photo of things is named and quoted; what is pictured in it is neither counted nor told. */
const madeOf = (name: string, lines: readonly PrintedLine[]): Ingredients => {
  const label = name === "screenshot" && isPost(lines) ? "screenshot of a post" : name;
  const words = largePrint(lines) ?? titleOf(lines);
  return { groups: [{ label, count: 1, exact: true }], ...(words === undefined ? {} : { words }) };
};

/** Whether the print has what stands below and beside posts: at least two kinds of it. */
const isPost = (lines: readonly PrintedLine[]): boolean => {
  const text = lines.map((line) => line.text).join("\n");
  return POST_SIGNS.filter((sign) => sign.test(text)).length >= 2;
};

/** A name with "@"; counts and buttons in English; "3h", "2 d" or "5 hours ago" after a name. */
const POST_SIGNS: readonly RegExp[] = [
  /(^|\s)@\w{2,}/,
  /\b(likes?|reposts?|retweets?|views|replies|comments?|shares?|followers|bookmarks)\b/i,
  /(^|[\s·•.])\d{1,2} ?(m|h|d|w|min|hours?|days?)( ago)?($|\s)/m,
];

/** Whether nobody is large, and no face is. */
const areSmall = (scene: Scene): boolean =>
  bodiesOf(scene).every(({ height }) => height < LARGE_PERSON) &&
  scene.faces.every(({ box }) => box.height < LARGE_FACE);

const bodiesOf = ({ objects, aspect }: Scene) =>
  objects
    .filter(({ label, prob }) => label === "person" && prob >= PERSON_PROB_MIN)
    .map(({ box }) => extentOf(box, aspect));

/** An activity with an object is preferred to a posture; for crowds, activities of single people are left out. */
const activityOf = (activities: readonly Detection[], { count }: People): string | undefined => {
  const sure = activities.filter(({ value, prob }) => prob >= ACTIVITY_PROB_MIN && !UNTOLD.has(value));
  const telling = sure.filter(({ value }) => !POSTURES.has(value));
  const [best] = telling.length > 0 ? telling : sure;
  if (count > ACTIVE_MAX || (count > 1 && (telling.length === 0 || best?.value === "flying a kite"))) return undefined;
  return best?.value;
};

/** The print, unless the objects already tell it: a stop sign need not be quoted. */
const wordsOf = (lines: readonly PrintedLine[], groups: readonly Group[]): string | undefined => {
  const words = largePrint(lines);
  const told = words !== undefined && groups.some(({ label }) => label.includes(words.toLowerCase()));
  return told ? undefined : words;
};

const POSTURES: ReadonlySet<string> = new Set([
  "standing",
  "sitting",
  "squatting",
  "lunging",
  "bending over",
  "lying down",
]);
/** Objects that the name of an activity implies. */
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
  drinking: [...VESSEL_LABELS],
  "brushing teeth": ["toothbrush"],
  eating: [...FOOD_LABELS, "fork", "spoon"],
};

/**
 * Left out of captions: a smile is described with the person, and bent legs or level bodies may belong to people who
 * jump, or sit on something undetected.
 */
const UNTOLD: ReadonlySet<string> = new Set(["smiling", "squatting", "lunging", "lying down"]);

/** Fractions of the frame's height. */
const LARGE_PERSON = 0.4;
const LARGE_FACE = 0.08;
const PERSON_PROB_MIN = 0.5;
const ACTIVITY_PROB_MIN = 0.6;
const ACTIVE_MAX = 6;
const GROUPS_MAX = 3;

/** A spatial relation of one kind of object to another. */
export interface Placement {
  /** `people` or a label. */
  what: string;
  where: "on" | "under" | "in front of";
  /** A label. */
  of: string;
}

/** The first unambiguous relation between these kinds, or between people and a kind, by their boxes. */
const placementOf = (
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

/**
 * The largest line of print if it is short and belongs to the scene. Undefined for longer texts, and for names and
 * addresses that were overlaid at the picture's edge.
 */
const largePrint = (lines: readonly PrintedLine[]): string | undefined => {
  const [largest] = lines
    .filter(({ prob, box, text }) => prob >= PROB_MIN && box.height >= HEIGHT_MIN && WORD.test(text))
    .sort((a, b) => b.box.width * b.box.height - a.box.width * a.box.height);
  if (!largest || lines.length > LINES_MAX || largest.text.length > LENGTH_MAX) return undefined;
  return MARK.test(largest.text) || isAtEdge(largest.box) ? undefined : largest.text;
};

/** The line of a chart or a page that is clearly taller than all others. */
const titleOf = (lines: readonly PrintedLine[]): string | undefined => {
  const [tallest, next] = lines.toSorted((a, b) => b.box.height - a.box.height);
  if (!tallest || !next || tallest.box.height < next.box.height * TITLE_RATIO) return undefined;
  const { prob, text } = tallest;
  return prob >= PROB_MIN && WORD.test(text) && text.length <= LENGTH_MAX && !MARK.test(text) ? text : undefined;
};

/** The classifier's name for charts, diagrams and pages of programs and the web. */
const GRAPHIC = "computer graphic";
const TITLE_RATIO = 1.25;

const isAtEdge = ({ top, height }: PrintedLine["box"]): boolean => {
  const middle = top + height / 2;
  return height < EDGE_HEIGHT_MIN && (middle < EDGE || middle > 1 - EDGE);
};

const WORD = /\p{L}{4}|\p{Script=Han}{2}/u;
/** Addresses and copyright notices. */
const MARK = /@|©|\(c\)|copyright|www|https?:|\.[a-z]{2,4}\b/i;
const PROB_MIN = 0.98;
/** Fractions of the frame's height. */
const HEIGHT_MIN = 0.04;
const EDGE = 0.1;
const EDGE_HEIGHT_MIN = 0.1;
/** Characters. */
const LENGTH_MAX = 30;
/** More lines are a text rather than a sign. */
const LINES_MAX = 4;
