import type { Box } from "../../visual.js";

/** What a face looks like, by the seven classes of the network. */
export type Expression = "neutral" | "happy" | "sad" | "angry" | "fearful" | "disgusted" | "surprised";

/** A person's face in a frame. */
export interface FaceSighting {
  /** Calibrated probability that it is a face, 0 to 1. */
  prob: number;
  box: Box;
  /** Estimated, in years; wrong by some seven years on average. */
  age: number;
  gender: "male" | "female";
  genderProb: number;
  expression: Expression;
  expressionProb: number;
  /** The 128 numbers that the same person's faces share; computed when first asked for. */
  descriptor(): Promise<number[]>;
}
