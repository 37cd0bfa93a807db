import type { EncoderTask } from "@hourglass/analysis/encoder";
import { fitTemperature } from "../linear/calibrate.js";
import { cardFigures, type ScoredSample } from "../linear/judge.js";
import type { Recipe } from "../linear/recipe.js";

/** A classification of an encoder with the temperature that suits the samples, and its figures on them. */
export const calibratedTask = (
  task: EncoderTask,
  { caution = 1 }: Recipe,
  judged: readonly ScoredSample[],
): EncoderTask => {
  const temperature = Math.round(fitTemperature(judged) * caution * 1e3) / 1e3;
  return { ...task, temperature, dev: cardFigures(judged, task.labels, temperature) };
};
