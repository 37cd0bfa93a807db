import { shareWithin } from "../../decode/image/overlap.js";
import type { Box } from "../../visual.js";
import { ANIMAL_LABELS, type ObjectSighting, type RawObject, type TwoViews } from "../objects/index.js";
import type { RawFace } from "./network.js";

/** A face that is believed in. */
export interface LikelyFace {
  /** Calibrated, 0 to 1. */
  prob: number;
  box: Box;
}

/** A face lies in a person or an animal when more of it does. */
const SHARE_OF_PERSON = 0.6;
const SHARE_OF_ANIMAL = 0.5;
/** Scores below mean nothing. */
const SCORE_MIN = 0.4;
const OBJECT_SCORE_MIN = 0.12;
const PROB_MIN = 0.8;
/** Of a person so near that the face may fill the picture; the area is a part of it. */
const CLOSE_PROB_MIN = 0.9;
const CLOSE_AREA_MIN = 0.6;

/**
 * Logistic regression (ridge .2) of "it is a person's face" on the detector's score and on what the network for objects says
 * there, on the 113 candidates (100 faces, judged by eye) of the tuning photos of services/training/vision/photos.json.
 * Five-fold: Brier score .012, calibration error .041; at PROB_MIN precision and recall are 1.
 */
const CALIBRATION = { intercept: -2.28, score: 3.57, person: 4.27, animal: -2.29 };

/** Which places named by the detector of faces show a person's, by what that of objects sees there; the likeliest first. */
export const toLikelyFaces = (faces: readonly RawFace[], views: TwoViews): LikelyFace[] =>
  faces
    .filter(({ score }) => score >= SCORE_MIN)
    .map(({ score, box }) => ({ prob: probOf(score, evidenceAt(box, views)), box }))
    .filter(({ prob }) => prob >= PROB_MIN)
    .sort((a, b) => b.prob - a.prob);

/** How much both views together speak for a person at a place, and for animals. */
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

/** An animal that the network does not know speaks a little for several that it knows: these are summed. */
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

/** A person fills the picture, but nothing of it was taken for a face, which may be as large. */
export const hidesLargeFace = (objects: readonly ObjectSighting[], faces: readonly LikelyFace[]): boolean =>
  faces.length === 0 &&
  objects.some(
    ({ label, prob, box }) => label === "person" && prob >= CLOSE_PROB_MIN && box.width * box.height >= CLOSE_AREA_MIN,
  );
