import { shareWithin } from "../../decode/image/overlap.js";
import type { Box } from "../../visual.js";
import { ANIMAL_LABELS } from "../objects/labels.js";
import type { ObjectSighting } from "../objects/sightings.js";
import type { RawObject, TwoViews } from "../objects/network.js";
import type { RawFace } from "./network.js";

/** A face with sufficient probability. */
export interface LikelyFace {
  /** Calibrated, 0 to 1. */
  prob: number;
  box: Box;
}

/** A face belongs to a person or an animal that contains at least this share of it. */
const SHARE_OF_PERSON = 0.6;
const SHARE_OF_ANIMAL = 0.5;
/** Lower scores are noise. */
const SCORE_MIN = 0.4;
const OBJECT_SCORE_MIN = 0.12;
const PROB_MIN = 0.8;
/** A person so near that the face may fill the picture; the area is a fraction of the picture. */
const CLOSE_PROB_MIN = 0.9;
const CLOSE_AREA_MIN = 0.6;

/**
 * Logistic regression (ridge .2) of "it is a person's face" on the detector's score and on the object network's output
 * at that place, on the 113 candidates (100 faces, judged by eye) of the tuning photos of
 * services/training/vision/photos.json. Five-fold: Brier score .012, calibration error .041; at PROB_MIN precision and
 * recall are 1.
 */
const CALIBRATION = { intercept: -2.28, score: 3.57, person: 4.27, animal: -2.29 };

/**
 * The candidates of the face detector that are faces of people, judged by the object network's output there; the
 * likeliest first.
 */
export const toLikelyFaces = (faces: readonly RawFace[], views: TwoViews): LikelyFace[] =>
  faces
    .filter(({ score }) => score >= SCORE_MIN)
    .map(({ score, box }) => ({ prob: probOf(score, evidenceAt(box, views)), box }))
    .filter(({ prob }) => prob >= PROB_MIN)
    .sort((a, b) => b.prob - a.prob);

/** The strength of both views' evidence for a person at a place, and for animals. */
interface Evidence {
  person: number;
  animal: number;
}

const evidenceAt = (face: Box, { near, far }: TwoViews): Evidence => {
  const views = [evidenceIn(near, face), evidenceIn(far, face)];
  return {
    person: views.reduce((sum, { person }) => sum + person, 0),
    animal: views.reduce((sum, { animal }) => sum + animal, 0),
  };
};

/** An animal that the network does not know gets low scores for several known ones: these are summed. */
const evidenceIn = (objects: readonly RawObject[], face: Box): Evidence => {
  let person = 0;
  const animals = new Map<string, number>();
  for (const { label, score, box } of objects) {
    if (score < OBJECT_SCORE_MIN) continue;
    const share = shareWithin(face, box);
    if (label === "person" && share > SHARE_OF_PERSON) person = Math.max(person, score);
    const isAnimal = ANIMAL_LABELS.has(label) || label === "teddy bear";
    if (isAnimal && share > SHARE_OF_ANIMAL) animals.set(label, Math.max(score, animals.get(label) ?? 0));
  }
  return { person, animal: [...animals.values()].reduce((sum, score) => sum + score, 0) };
};

const probOf = (score: number, { person, animal }: Evidence): number => {
  const { intercept, ...slopes } = CALIBRATION;
  return 1 / (1 + Math.exp(-(intercept + slopes.score * score + slopes.person * person + slopes.animal * animal)));
};

/** Whether a person fills the picture but no face was found in it; the face may be as large as the picture. */
export const hidesLargeFace = (objects: readonly ObjectSighting[], faces: readonly LikelyFace[]): boolean =>
  faces.length === 0 &&
  objects.some(
    ({ label, prob, box }) => label === "person" && prob >= CLOSE_PROB_MIN && box.width * box.height >= CLOSE_AREA_MIN,
  );
