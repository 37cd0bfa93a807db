import type { AnalyzeOptions, Analyzer, Classification, ExplainedSpan, ModelRef, TextDocument } from "../../types.js";
import {
  argmax,
  canJudge,
  conservative,
  type LabelSet,
  priorsOf,
  toClassification,
} from "../../text/classification.js";
import { explainedSpans } from "../../text/explained-spans.js";
import { featuresOf } from "../../text/ngrams/features.js";
import { softmax } from "../linear/softmax.js";
import type { EncoderTaskName } from "./card.js";
import type { Encoder } from "./encoder.js";
import { type EncoderFolders, encodersOf, encodingOf, prepareEncodings } from "./encodings.js";
import { logOdds } from "./log-odds.js";
import { occlusionsOf, prepareOcclusions } from "./occlusion/occlusion.js";
import { createScores } from "./scores.js";

/** An analyzer that returns a label, for any analysis. */
export type EncoderAnalyzer<T extends EncoderTaskName> = Analyzer<T, Classification>;

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
      if (explain) await prepareOcclusions(documents);
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
  const { labels, temperature, languages: measured = ENGLISH } = card.tasks[type];
  const languages = new Set(measured);
  const priors = priorsOf(labelSet, labels);
  const scoresOf = createScores(type, card);
  const spansOf = (document: TextDocument, scores: Float64Array, label: number): ExplainedSpan[] => {
    const whole = logOdds(scores, label, temperature);
    const parts = occlusionsOf(document).map(({ start, end, logits, features }) => ({
      start,
      end,
      evidence: whole - logOdds(scoresOf(logits, features), label, temperature),
    }));
    return explainedSpans(document.text, parts, (evidence) => Math.tanh(evidence / 2));
  };
  return {
    model: { id: `${type}-encoder`, version: card.version },
    languages,
    analyze: (document, { explain }) => {
      const { tokens, logits } = encodingOf(document);
      const scores = scoresOf(logits, () => featuresOf(document));
      const judged = softmax(scores, temperature);
      const readable = tokens.length > 0 && canJudge(languages, document.language);
      const probabilities = readable ? judged : conservative(judged, priors);
      const spans = explain ? spansOf(document, scores, argmax(probabilities)) : undefined;
      return toClassification(labels, probabilities, spans);
    },
  };
};
