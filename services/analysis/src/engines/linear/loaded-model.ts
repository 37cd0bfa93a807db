import type { Features } from "../../text/ngrams/features.js";
import { shipped } from "../../models/shipped-models.js";
import { type LinearModel, readModel } from "./linear-model.js";
import { createScorer, type Scorer } from "./scorer.js";

/** A model that scores. */
export interface LoadedModel extends LinearModel {
  /** Several analyses ask for the scores of a text, which are computed once. */
  readonly score: Scorer;
}

/** Folder of a shipped model, which mostly has the name of its analysis. */
export const modelFolder = (name: string): URL => shipped(`${name}/`);

const loaded = new Map<string, LoadedModel>();

/** A shipped model, loaded once per thread; throws if it is missing or damaged. */
export const modelOf = (name: string): LoadedModel => {
  let model = loaded.get(name);
  if (model === undefined) {
    model = load(name);
    loaded.set(name, model);
  }
  return model;
};

const load = (name: string): LoadedModel => {
  const model = readModel(modelFolder(name));
  return { ...model, score: remembered(createScorer(model.weights)) };
};

const remembered = (score: Scorer): Scorer => {
  const known = new WeakMap<Features, Float64Array>();
  return (features) => {
    const scores = known.get(features) ?? score(features);
    known.set(features, scores);
    return scores;
  };
};
