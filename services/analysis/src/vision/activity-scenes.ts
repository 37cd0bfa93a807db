import { type Activity, type Evidence, given } from "./activities.js";
import type { Scene } from "./scene.js";

/** What people do where the picture as a whole shows such a thing, by the classifier's words and groups. */
interface ShownActivity {
  activity: Activity;
  /** Their scores are added. */
  shown: readonly string[];
  /** The least sum. */
  least: number;
  /** Detected objects that say that it is something else. */
  unless?: readonly string[];
  /** A detected object without which it is not. */
  only?: string;
  /** A detected object with which half of the sum is enough. */
  with?: string;
}

const SHOWN: readonly ShownActivity[] = [
  { activity: "playing an instrument", shown: ["musical instrument"], least: 0.5 },
  { activity: "playing guitar", shown: ["guitar"], least: 0.5 },
  { activity: "playing drums", shown: ["drum"], least: 0.5 },
  { activity: "playing piano", shown: ["piano"], least: 0.5 },
  { activity: "playing basketball", shown: ["basketball"], least: 0.4 },
  { activity: "playing football", shown: ["soccer ball"], least: 0.35, with: "sports ball", unless: ["frisbee"] },
  { activity: "playing football", shown: ["american football helmet"], least: 0.45 },
  { activity: "playing volleyball", shown: ["volleyball"], least: 0.5 },
  { activity: "playing rugby", shown: ["rugby ball"], least: 0.4 },
  { activity: "playing baseball", shown: ["baseball player", "baseball"], least: 0.35 },
  { activity: "playing tennis", shown: ["racket", "tennis ball"], least: 0.5, with: "tennis racket" },
  { activity: "lifting weights", shown: ["barbell", "dumbbell"], least: 0.6 },
  { activity: "doing gymnastics", shown: ["gymnastics"], least: 0.5 },
  { activity: "skiing", shown: ["skis"], least: 0.5, unless: ["snowboard"] },
  { activity: "snowboarding", shown: ["skis"], least: 0.5, only: "snowboard" },
  { activity: "riding a snowmobile", shown: ["snowmobile"], least: 0.5 },
  { activity: "riding a unicycle", shown: ["unicycle"], least: 0.5 },
  { activity: "paddling", shown: ["canoe", "paddle"], least: 0.45, unless: ["surfboard"] },
  { activity: "scuba diving", shown: ["scuba diver"], least: 0.3 },
];

/** The activities that a picture may show as a whole. */
export const SHOWN_ACTIVITIES: ReadonlySet<Activity> = new Set(SHOWN.map(({ activity }) => activity));

/** The activities that the picture as a whole shows. It has to have people, of whom a face may be all that is seen. */
export const shownActivities = ({ names, objects, faces }: Scene): Evidence[] => {
  const seen = Math.max(
    0,
    ...objects.filter(({ label }) => label === "person").map(({ prob }) => prob),
    ...faces.map(({ prob }) => prob),
  );
  return SHOWN.flatMap(({ activity, shown, least, unless = [], only, with: beside }) => {
    const sum = shown.reduce((total, name) => total + (names?.get(name) ?? 0), 0);
    const has = (label: string): boolean => objects.some((object) => object.label === label);
    const needed = beside !== undefined && has(beside) ? least / 2 : least;
    const isOther = unless.some(has) || (only !== undefined && !has(only));
    const isPeopled = seen >= PEOPLE_MIN || activity === "scuba diving";
    return given(activity, sum >= needed && isPeopled && !isOther, Math.min(1, sum / SURE));
  });
};

/** A score from which the classifier is as good as certain. */
const SURE = 0.8;
const PEOPLE_MIN = 0.5;
