import { shareWithin } from "../../image/overlap.js";
import type { Box, Frame } from "../../visual.js";
import { ANIMAL_LABELS, type ObjectSighting } from "../objects/index.js";
import type { RawFace } from "./network.js";

/** A face that is believed in. */
export interface LikelyFace {
  prob: number;
  box: Box;
}

const SCORE_MIN = 0.4;

/** Which of the places that the detector names show a person's face, the likeliest first. */
export const toLikelyFaces = (
  faces: readonly RawFace[],
  objects: readonly ObjectSighting[],
  _frame: Frame,
): LikelyFace[] => {
  const animals = objects.filter(({ label }) => ANIMAL_LABELS.has(label));
  return faces
    .filter(({ score }) => score >= SCORE_MIN)
    .filter(({ box }) => !animals.some((animal) => shareWithin(box, animal.box) > 0.5))
    .map(({ score, box }) => ({ prob: score, box }));
};
