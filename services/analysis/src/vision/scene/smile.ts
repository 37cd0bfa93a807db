import type { SeenFace } from "./scene.js";

/**
 * Whether a face clearly smiles. Small or uncertain faces are excluded: the network reports happiness in them without
 * reason.
 */
export const isSmiling = ({ prob, box, expression, expressionProb }: SeenFace): boolean =>
  expression === "happy" && expressionProb >= HAPPY_MIN && prob >= FACE_PROB_MIN && box.height >= FACE_HEIGHT_MIN;

const HAPPY_MIN = 0.97;
const FACE_PROB_MIN = 0.8;
/** Fraction of the frame's height. */
const FACE_HEIGHT_MIN = 0.06;
