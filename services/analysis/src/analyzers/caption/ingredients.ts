import { recognizeActivities } from "../../vision/activity-rules.js";
import { FOOD_LABELS, VESSEL_LABELS } from "../../vision/objects.js";
import { extentOf, type Scene } from "../../vision/scene.js";
import type { Detection, PrintedLine } from "../../types.js";
import { largePrint } from "./large-print.js";
import { peopleIn, type People } from "./people.js";
import { placementOf, type Placement } from "./placement.js";
import { groupsOf, tellingThingsOf, type Group } from "./things.js";

/** The parts of a sentence about a picture. */
export interface Ingredients {
  people?: People;
  /** The activity, a name of the closed list. */
  activity?: string;
  /** The most prominent kinds of objects, most prominent first. */
  groups: readonly Group[];
  placement?: Placement;
  /** Large, short print. */
  words?: string;
}

/** The parts of a scene that are certain enough to mention. */
export const ingredientsOf = (scene: Scene, lines: readonly PrintedLine[]): Ingredients => {
  const people = peopleIn(scene);
  const activity = people && activityOf(recognizeActivities(scene), people);
  const things = tellingThingsOf(scene);
  const groups = groupsOf(things, scene.aspect)
    .filter(({ label }) => activity === undefined || (!activity.includes(label) && !USED_IN[activity]?.includes(label)))
    .slice(0, GROUPS_MAX);
  const placement = placementOf(groups, things, people?.exact === true ? bodiesOf(scene) : []);
  const words = wordsOf(lines, groups);
  return {
    ...(people ? { people } : {}),
    ...(activity ? { activity } : {}),
    groups,
    ...(placement ? { placement } : {}),
    ...(words ? { words } : {}),
  };
};

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

const PERSON_PROB_MIN = 0.5;
const ACTIVITY_PROB_MIN = 0.6;
const ACTIVE_MAX = 6;
const GROUPS_MAX = 3;
