import { argmax } from "../../text/argmax.js";
import {
  conservative,
  type LabelSet,
  logOdds,
  priorsOf,
  softmax,
  supportsLanguage,
  toClassification,
} from "../../text/classification.js";
import { creditsOf } from "../../text/explanation/coalitions.js";
import { explainedSpans } from "../../text/explanation/spans.js";
import { type Features, featuresOf } from "../../text/ngrams/features.js";
import type { AnalyzeOptions, Analyzer, Classification, ExplainedSpan, ModelRef, TextDocument } from "../../types.js";
import { modelOf } from "../linear/loaded-model.js";
import { calibrationOf, type EncoderCard, type EncoderTaskName } from "./card.js";
import { type Encoder, type EncoderFolders, encodersOf, encodingOf, prepareEncodings } from "./encoder.js";
import { excerptsOf, prepareExcerpts } from "./excerpts.js";
import { agreementOf } from "./emotion-sentiment.js";
import type { Logits } from "./session.js";

/** An analyzer that returns a label, for any analysis. */
type EncoderAnalyzer<T extends EncoderTaskName> = Analyzer<T, Classification>;

const ENGLISH = ["en"];

/**
 * The classifier of an analysis by the encoders; throws as `encodersOf` does. It supports the languages in which the
 * cards state a measured score.
 */
export const createEncoderAnalyzer = <T extends EncoderTaskName>(
  labelSet: LabelSet<T>,
  folders?: EncoderFolders,
): EncoderAnalyzer<T> => {
  const type = labelSet.analysis;
  const encoders = encodersOf(folders);
  const { english, multilingual } = encoders;
  const readers = new Map([english, multilingual].map((encoder) => [encoder, createReader(labelSet, encoder)]));
  const readerOf = (document: TextDocument): Reader => readers.get(encodingOf(document).encoder)!;
  const languages = new Set([...readers.values()].flatMap((reader) => [...reader.languages]));
  const { model } = readers.get(english)!;
  return {
    type,
    engine: "accurate",
    model,
    languages,
    prepare: async (documents, { explain }) => {
      await prepareEncodings(documents, encoders);
      if (explain) await prepareExcerpts(documents);
    },
    analyze: (document, options) => readerOf(document).analyze(document, options),
    modelOf: (document) => readerOf(document).model,
  };
};

/** One encoder's part in an analysis. */
interface Reader {
  readonly model: ModelRef;
  readonly languages: ReadonlySet<string>;
  analyze(document: TextDocument, options: AnalyzeOptions): Classification;
}

const createReader = <T extends EncoderTaskName>(labelSet: LabelSet<T>, { card }: Encoder): Reader => {
  const type = labelSet.analysis;
  const task = card.tasks[type];
  const { labels, languages: measured = ENGLISH } = task;
  const languages = new Set(measured);
  const priors = priorsOf(labelSet, labels);
  const scoresOf = createScores(type, card);
  const spansOf = (document: TextDocument, scores: Float64Array, label: number): ExplainedSpan[] => {
    const { code } = document.language;
    const { temperature } = calibrationOf(task, code);
    const { units, plan, judged } = excerptsOf(document);
    const values = judged.map(({ logits, features }) => logOdds(scoresOf(logits, features, code), label, temperature));
    const credits = creditsOf(plan, values, logOdds(scores, label, temperature));
    return explainedSpans(
      document.text,
      units.map((unit, i) => ({ ...unit, evidence: credits[i] ?? 0 })),
      1 / encodingOf(document).windows.length,
    );
  };
  return {
    model: { id: `${type}-encoder`, version: card.version },
    languages,
    analyze: (document, { explain }) => {
      const { tokens, logits } = encodingOf(document);
      const { code } = document.language;
      const scores = scoresOf(logits, () => featuresOf(document), code);
      const predicted = softmax(scores, calibrationOf(task, code).temperature);
      const readable = tokens.length > 0 && supportsLanguage(languages, document.language);
      const probabilities = readable ? predicted : conservative(predicted, priors);
      const spans = explain ? spansOf(document, scores, argmax(probabilities)) : undefined;
      return toClassification(labels, probabilities, spans);
    },
  };
};

/** Scores labels, given the encoder's output for a text, the text's n-grams and its language. */
type Scores = (logits: Logits, features: () => Features, language: string) => Float64Array;

/**
 * Returns a function that scores the labels of an analysis, in the order of the encoder's card, before the temperature.
 * If the card says so, labels have a bias, the linear model's scores are mixed in, because its errors differ from the
 * encoder's, and emotions that contradict the sentiment are less likely.
 */
export const createScores = (type: EncoderTaskName, card: EncoderCard): Scores => {
  const alone = createScoresAlone(type, card);
  const { labels, contradiction } = card.tasks[type];
  if (type !== "sentiment-real" || contradiction === undefined) return alone;
  const sentiment = card.tasks["sentiment-simple"];
  const sentimentScores = createScoresAlone("sentiment-simple", card);
  return (logits, features, language) => {
    const { temperature } = calibrationOf(sentiment, language);
    const probabilities = softmax(sentimentScores(logits, features, language), temperature);
    const agreement = agreementOf({ labels: sentiment.labels, probabilities }, labels, contradiction);
    return alone(logits, features, language).map((score, i) => score + Math.log(agreement[i]!));
  };
};

const createScoresAlone = (type: EncoderTaskName, { tasks }: EncoderCard): Scores => {
  const task = tasks[type];
  const { labels, linearShare = 0, linear: folder = type } = task;
  const encoded = (logits: Logits, language: string): Float64Array => {
    const { bias = [] } = calibrationOf(task, language);
    return Float64Array.from(logits[type], (score, i) => score + (bias[i] ?? 0));
  };
  if (linearShare === 0) return (logits, _, language) => encoded(logits, language);
  const linear = createLinearScores(folder, labels);
  return (logits, features, language) => {
    const second = linear(features());
    return encoded(logits, language).map((score, i) => (1 - linearShare) * score + linearShare * (second[i] ?? 0));
  };
};

/** Scores of the linear model divided by its temperature, in the order of the labels. */
const createLinearScores = (folder: string, labels: readonly string[]): ((features: Features) => Float64Array) => {
  const { card, score } = modelOf(folder);
  const order = labels.map((label) => card.labels.indexOf(label));
  return (features) => {
    const scores = score(features);
    return Float64Array.from(order, (at) => (scores[at] ?? 0) / card.temperature);
  };
};
