import type { Recipe } from "./recipe.js";
import { fitWeights } from "./fit-weights.js";
import { type ScoredSample, scoreSamples } from "./judge.js";
import type { Sample } from "../sample.js";

/** Development texts and, if the recipe requires it, texts of sources that the judging model was not trained on. */
export const calibrationTexts = (
  recipe: Recipe,
  samples: readonly Sample[],
  developed: readonly ScoredSample[],
): ScoredSample[] => {
  const { unseen } = recipe;
  if (unseen === undefined) return [...developed];
  const foreign = unseen.sources.flatMap((source) => judgeWithout(recipe, samples, source));
  const wanted = Math.round((developed.length * unseen.share) / (1 - unseen.share));
  const stride = Math.max(1, foreign.length / wanted);
  const chosen = Array.from({ length: Math.min(wanted, foreign.length) }, (_, i) => foreign[Math.floor(i * stride)]);
  return [...developed, ...chosen.filter((sample) => sample !== undefined)];
};

const judgeWithout = (recipe: Recipe, samples: readonly Sample[], source: string): ScoredSample[] => {
  const others = samples.filter((sample) => !sample.source.startsWith(source));
  const own = samples.filter((sample) => sample.source.startsWith(source));
  return scoreSamples(fitWeights(recipe, others), own, recipe.labels);
};
