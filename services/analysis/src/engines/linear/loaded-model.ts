import type { Features } from "../../text/ngrams/features.js";
import { shipped } from "../../models/shipped-models.js";
import { type LinearModel, readModel } from "./linear-model.js";
import { createScorer, indexRows, type RowIndex, type Scorer } from "./scorer.js";

/** A model with its lookup tables. */
export interface LoadedModel extends LinearModel {
  readonly rowOf: RowIndex;
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
  const rowOf = indexRows(model.weights);
  return { ...model, rowOf, score: remembered(createScorer(model.weights, rowOf)) };
};

const remembered = (score: Scorer): Scorer => {
  const known = new WeakMap<Features, Float64Array>();
  return (features) => {
    const scores = known.get(features) ?? score(features);
    known.set(features, scores);
    return scores;
  };
};
