import type { Analyzer, Classification, ExplainedSpan, TextDocument } from "../../analyzer.js";
import {
  argmax,
  canJudge,
  conservative,
  type LabelSet,
  priorsOf,
  toClassification,
} from "../../text/classification.js";
import { explainedSpans } from "../../text/explained-spans.js";
import { softmax } from "../linear/softmax.js";
import type { EncoderTaskName } from "./card.js";
import { encoderOf, encodingOf, prepareEncodings } from "./encodings.js";
import { logOdds } from "./log-odds.js";
import { ENCODER_FOLDER } from "./model-folder.js";
import { occlusionsOf, prepareOcclusions } from "./occlusion/occlusion.js";
import { createScores } from "./scores.js";

/** An analyzer that returns a label, for any analysis. */
export type EncoderAnalyzer<T extends EncoderTaskName> = Analyzer<T, Classification>;

const ENGLISH: ReadonlySet<string> = new Set(["en"]);

/** The classifier of an analysis by the encoder; throws if the encoder is missing or damaged. */
export const createEncoderAnalyzer = <T extends EncoderTaskName>(
  labelSet: LabelSet<T>,
  folder: URL = ENCODER_FOLDER,
): EncoderAnalyzer<T> => {
  const type = labelSet.analysis;
  const encoder = encoderOf(folder);
  const { labels, temperature } = encoder.card.tasks[type];
  const priors = priorsOf(labelSet, labels);
  const scoresOf = createScores(type, encoder);
  const spansOf = (document: TextDocument, label: number): ExplainedSpan[] => {
    const whole = logOdds(encodingOf(document).logits[type], label, temperature);
    const parts = occlusionsOf(document).map(({ start, end, logits }) => ({
      start,
      end,
      evidence: whole - logOdds(logits[type], label, temperature),
    }));
    return explainedSpans(document.text, parts, (evidence) => Math.tanh(evidence / 2));
  };
  return {
    type,
    engine: "accurate",
    model: { id: `${type}-encoder`, version: encoder.card.version },
    languages: ENGLISH,
    prepare: async (documents, { explain }) => {
      await prepareEncodings(documents, encoder);
      if (explain) await prepareOcclusions(documents, encoder);
    },
    analyze: (document, { explain }) => {
      const { tokens } = encodingOf(document);
      const judged = softmax(scoresOf(document), temperature);
      const readable = tokens.length > 0 && canJudge(ENGLISH, document.language);
      const probabilities = readable ? judged : conservative(judged, priors);
      const spans = explain ? spansOf(document, argmax(probabilities)) : undefined;
      return toClassification(labels, probabilities, spans);
    },
  };
};
