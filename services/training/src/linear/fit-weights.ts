import { featurize, type Weights } from "@hourglass/analysis/linear";
import type { Recipe } from "./recipe.js";
import { fit } from "./fit.js";
import { buildMatrix } from "./matrix.js";
import { quantise } from "./quantise.js";
import type { Sample } from "../sample.js";

/** Fits the weights of the shipped format to samples. */
export const fitWeights = ({ settings, labels, rowsMax }: Recipe, samples: readonly Sample[]): Weights => {
  const matrix = buildMatrix(
    samples.map(({ text }) => featurize(text)),
    settings.occurrencesMin,
  );
  return quantise(matrix, fit(matrix, samples, labels, settings), rowsMax);
};
