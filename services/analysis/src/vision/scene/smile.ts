import type { SeenFace } from "./scene.js";

/** Whether a face clearly smiles. In small faces, and in those that may be none, happiness is seen where there is none. */
export const isSmiling = ({ prob, box, expression, expressionProb }: SeenFace): boolean =>
  expression === "happy" && expressionProb >= HAPPY_MIN && prob >= FACE_PROB_MIN && box.height >= FACE_HEIGHT_MIN;

const HAPPY_MIN = 0.97;
const FACE_PROB_MIN = 0.8;
/** Of the frame's height. */
const FACE_HEIGHT_MIN = 0.06;
