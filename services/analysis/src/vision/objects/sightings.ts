import { overlap } from "../../image/overlap.js";
import type { Box } from "../../visual.js";
import type { ObjectLabel } from "./labels.js";
import type { RawObject } from "./network.js";

/** An object in a frame. */
export interface ObjectSighting {
  label: ObjectLabel;
  /** Calibrated, 0 to 1. */
  prob: number;
  box: Box;
}

/** Of two boxes of a label that overlap more, the likelier stays. */
const OVERLAP_MAX = 0.45;
/** Scores below are more often wrong than right. */
const SCORE_MIN = 0.4;

/** What is kept of what the network says, the likeliest first. */
export const toSightings = (objects: readonly RawObject[]): ObjectSighting[] => {
  const kept: RawObject[] = [];
  for (const object of objects.filter(({ score }) => score >= SCORE_MIN).sort((a, b) => b.score - a.score)) {
    const seen = kept.some(({ label, box }) => label === object.label && overlap(box, object.box) > OVERLAP_MAX);
    if (!seen) kept.push(object);
  }
  return kept.map(({ label, score, box }) => ({ label, prob: score, box }));
};
