import { shareWithin } from "../../image/overlap.js";
import type { Box } from "../../visual.js";
import { ANIMAL_LABELS, type ObjectSighting } from "../objects/index.js";
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
/** Part of the picture; what fills more was an animal or a thing on every tuning photo. */
const AREA_MAX = 0.6;
/** Scores below mean nothing. */
const SCORE_MIN = 0.4;
/** In a picture without any person; the best of an animal that the network for objects did not see there was 0.71. */
const SCORE_MIN_WITHOUT_PEOPLE = 0.9;
const PROB_MIN = 0.8;

/**
 * Logistic regression of "it is a person's face" on the detector's score and on whether it lies in a person, on the 104
 * candidates (97 faces) in the tuning photos of services/training/vision/photos.json that the rules below leave over. So few
 * false ones make the probabilities of weak faces rough.
 */
const CALIBRATION = { intercept: -1.43, score: 3.62, inPerson: 2.79 };

/** Which of the places that the detector names show a person's face, the likeliest first. */
export const toLikelyFaces = (faces: readonly RawFace[], objects: readonly ObjectSighting[]): LikelyFace[] => {
  const people = objects.filter(({ label }) => label === "person");
  const animals = objects.filter(({ label }) => ANIMAL_LABELS.has(label) || label === "teddy bear");
  return faces
    .flatMap(({ score, box }) => {
      const inPerson = liesIn(box, people, SHARE_OF_PERSON);
      if (score < (people.length > 0 ? SCORE_MIN : SCORE_MIN_WITHOUT_PEOPLE)) return [];
      if (box.width * box.height > AREA_MAX || (!inPerson && liesIn(box, animals, SHARE_OF_ANIMAL))) return [];
      const { intercept, score: slope, inPerson: bonus } = CALIBRATION;
      const prob = 1 / (1 + Math.exp(-(intercept + slope * score + (inPerson ? bonus : 0))));
      return prob < PROB_MIN ? [] : [{ prob, box }];
    })
    .sort((a, b) => b.prob - a.prob);
};

const liesIn = (face: Box, things: readonly ObjectSighting[], share: number): boolean =>
  things.some(({ box }) => shareWithin(face, box) > share);
