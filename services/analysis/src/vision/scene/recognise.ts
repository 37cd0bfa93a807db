import { distinctDetections } from "../../detections/distinct-detections.js";
import type { Detection } from "../../visual.js";
import type { Activity } from "./activities.js";
import { bodyOf, type Body } from "./body.js";
import { calibrated, PROB_MIN } from "./calibration.js";
import { given, type Evidence } from "./evidence.js";
import { postures } from "./postures.js";
import { kites, relations, seatOf } from "./relations.js";
import type { Scene, SeenFace } from "./scene.js";
import { isSmiling } from "./smile.js";
import { thingsOf } from "./thing.js";

/**
 * The activities of the people in a scene, by rules about joints, things and faces; the most probable first, each
 * activity once. `isStepping` returns whether a person's feet are known to move.
 */
export const recogniseActivities = (scene: Scene, isStepping: (body: Body) => boolean = () => false): Detection[] => {
  const things = thingsOf(scene);
  const perPerson = scene.poses.map((pose) => {
    const body = bodyOf(pose, scene.aspect);
    const found = reconciled([...postures(body, seatOf(body, things)), ...relations(body, things, scene.aspect)]);
    return isStepping(body) ? found.filter(({ activity }) => activity !== "standing") : found;
  });
  return strongest([...perPerson.flat(), ...kites(scene), ...scene.faces.flatMap(smiling)]);
};

/**
 * Removes contradictions for one person: a rider neither sits nor squats, and somebody on a board or in a game neither
 * stretches nor lunges.
 */
const reconciled = (evidence: readonly Evidence[]): Evidence[] => {
  const does = evidence.some(({ activity }) => /^(riding|playing|skat|surf|ski|snow)/.test(activity));
  return does ? evidence.filter(({ activity }) => !OVERRULED.has(activity)) : [...evidence];
};

const OVERRULED: ReadonlySet<Activity> = new Set([
  "standing",
  "sitting",
  "squatting",
  "lunging",
  "bending over",
  "stretching arms out",
  "raising a hand",
  "raising both arms",
]);

const smiling = (face: SeenFace): Evidence[] => given("smiling", isSmiling(face), face.prob, face.expressionProb);

/** Several people doing the same do not increase the probability: an error about one applies to the others, too. */
const strongest = (evidence: readonly Evidence[]): Detection[] =>
  distinctDetections(
    evidence.map(({ activity, strength }) => ({ value: activity, prob: calibrated(activity, strength) })),
  ).filter(({ prob }) => prob >= PROB_MIN);
