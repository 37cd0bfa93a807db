import type { LinearAnalysis } from "@hourglass/analysis/linear";
import type { FitSettings } from "../linear/fit.js";
import type { Sample } from "../linear/sample.js";
import type { Part } from "../rows.js";

/** Everything about one model: where its samples come from and how it is fitted. */
export interface Recipe {
  analysis: LinearAnalysis;
  labels: readonly string[];
  /** What the model card says about the data. */
  data: string;
  samples(dataDir: string, part: Part): Sample[];
  settings: FitSettings;
  /** N-grams the shipped model keeps. */
  rowsMax: number;
  /**
   * The development data comes from the sources the model learns from, posts do not. Where that makes a model surer than it
   * should be, the temperature is fitted on a mix: this share of it are training texts of these sources (prefixes of their
   * names), judged by models that were trained without the source.
   */
  unseen?: { sources: readonly string[]; share: number };
  /**
   * What the encoder's temperature, fitted on the development data, is multiplied by: above 1 where posts are harder than the
   * development data, so that certainty fitted on these would be too great.
   */
  caution?: number;
}
