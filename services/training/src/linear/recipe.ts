import type { ClassifyingAnalysis } from "@hourglass/analysis";
import type { FitSettings } from "./fit.js";
import type { Sample } from "../sample.js";
import type { Part } from "../rows.js";

/** The definition of one model: the source of its samples and its hyperparameters. */
export interface Recipe {
  analysis: ClassifyingAnalysis;
  labels: readonly string[];
  /** Description of the data in the model card. */
  data: string;
  samples(dataDir: string, part: Part): Sample[];
  settings: FitSettings;
  /** Number of n-grams that the shipped model keeps. */
  rowsMax: number;
  /**
   * The development data comes from the training sources, unlike real posts. If that makes a model overconfident, the
   * temperature is fitted on a mix: this share of it are training texts of these sources (prefixes of their names),
   * judged by models that were trained without the source.
   */
  unseen?: { sources: readonly string[]; share: number };
  /**
   * A label that the encoder finds too seldom or too often: a bias for it is fitted on the development data, for the
   * greatest macro-F1.
   */
  biased?: string;
  /**
   * Factor for the encoder's temperature that was fitted on the development data: above 1 if posts are harder than the
   * development data, on which the fitted temperature would be overconfident.
   */
  caution?: number;
}
