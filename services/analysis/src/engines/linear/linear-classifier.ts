import { argmax } from "../../text/argmax.js";
import type { Analyzer, Classification, ExplainedSpan, TextDocument } from "../../types.js";
import {
  conservative,
  type LabelSet,
  logOdds,
  priorsOf,
  softmax,
  supportsLanguage,
  toClassification,
} from "../../text/classification.js";
import { type CoalitionPlan, creditsOf, planCoalitions } from "../../text/explanation/coalitions.js";
import { explainedSpans } from "../../text/explanation/spans.js";
import { groupEvenly, rangeOf, spanned, textWithout, unitsOf } from "../../text/explanation/units.js";
import { chunks, type Features, featurize, featuresOf } from "../../text/ngrams/features.js";
import { tokensOf } from "../../text/tokens.js";
import { type LoadedModel, modelOf } from "./loaded-model.js";

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

const createClassifier = ({ card, score }: LoadedModel, priors: Float64Array): Classify => {
  const { temperature } = card;
  const spansOf = (document: TextDocument, scores: Float64Array, label: number): ExplainedSpan[] => {
    const { units, plan, features } = document.once(EXCERPTS, () => excerptsOf(document));
    const values = features.map((own) => logOdds(score(own), label, temperature));
    const credits = creditsOf(plan, values, logOdds(scores, label, temperature));
    return explainedSpans(
      document.text,
      units.map((unit, i) => ({ ...unit, evidence: credits[i] ?? 0 })),
      1 / chunks(document.text).length,
    );
  };
  return (document, { explain }) => {
    const scores = score(featuresOf(document));
    const predicted = softmax(scores, temperature);
    const probabilities = supportsLanguage(ENGLISH, document.language) ? predicted : conservative(predicted, priors);
    const spans = explain ? spansOf(document, scores, argmax(probabilities)) : undefined;
    return toClassification(card.labels, probabilities, spans);
  };
};

/** What explains a text for every classification. */
interface Excerpts {
  readonly units: readonly { readonly start: number; readonly end: number }[];
  readonly plan: CoalitionPlan;
  /** For each coalition, the n-grams of the text without the other units. */
  readonly features: readonly Features[];
}

const EXCERPTS = Symbol("excerpts");
/** A text with more words is explained by groups of them. */
const UNITS_MAX = 40;
/** The excerpts of a text have together at most this many times its length. */
const TIMES = 12;

const excerptsOf = (document: TextDocument): Excerpts => {
  const { text } = document;
  const tokens = tokensOf(document);
  const partOfSpeech = (token: number): string => tokens[token]?.pos ?? "";
  const units = groupEvenly(unitsOf(tokens, partOfSpeech), UNITS_MAX).map(spanned);
  const ranges = units.map((unit) => rangeOf(tokens, partOfSpeech, unit));
  const lengths = ranges.map(({ start, end }) => end - start);
  const besides = text.length - lengths.reduce((sum, length) => sum + length, 0);
  const plan = planCoalitions({ units: lengths, besides, budget: TIMES * text.length });
  const features = plan.coalitions.map((coalition) =>
    featurize(
      textWithout(
        text,
        tokens,
        units.filter((_, unit) => !coalition[unit]),
      ),
    ),
  );
  return { units: ranges, plan, features };
};
