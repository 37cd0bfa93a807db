import { argmax } from "../../text/argmax.js";
import type { Analyzer, Classification, ExplainedSpan, TextDocument } from "../../types.js";
import {
  conservative,
  type LabelSet,
  priorsOf,
  softmax,
  supportsLanguage,
  toClassification,
} from "../../text/classification.js";
import { explainedSpans } from "../../text/explained-spans.js";
import { attribute } from "../../text/ngrams/attribution.js";
import { featuresOf } from "../../text/ngrams/features.js";
import { type LoadedModel, modelOf } from "./loaded-model.js";
import { createContrast } from "./scorer.js";

/** Loads the model of an analysis and wraps it as an analyzer; throws if the model is missing or damaged. */
export const createLinearAnalyzer = <T extends string>(labels: LabelSet<T>): LinearAnalyzer<T> => {
  const type = labels.analysis;
  const model = modelOf(type);
  // The card's version is `linear-<fingerprint>`; the id already contains the first part.
  const version = model.card.version.replace(/^linear-/, "");
  return {
    type,
    engine: "fast",
    model: { id: `${type}-linear`, version },
    languages: ENGLISH,
    analyze: createClassifier(model, priorsOf(labels, model.card.labels)),
  };
};

const ENGLISH: ReadonlySet<string> = new Set(["en"]);

/** An analyzer that returns a label, for any analysis. */
export type LinearAnalyzer<T extends string> = Analyzer<T, Classification>;

type Classify = Analyzer<string, Classification>["analyze"];

const createClassifier = ({ card, weights, rowOf, score }: LoadedModel, priors: Float64Array): Classify => {
  const contrast = createContrast(weights, rowOf);
  const spansOf = (document: TextDocument, label: number): ExplainedSpan[] =>
    explainedSpans(
      document.text,
      attribute(document, (bucket) => contrast(bucket, label)),
      (evidence) => Math.tanh(evidence / card.temperature / 2),
    );
  return (document, { explain }) => {
    const predicted = softmax(score(featuresOf(document)), card.temperature);
    const probabilities = supportsLanguage(ENGLISH, document.language) ? predicted : conservative(predicted, priors);
    const spans = explain ? spansOf(document, argmax(probabilities)) : undefined;
    return toClassification(card.labels, probabilities, spans);
  };
};
