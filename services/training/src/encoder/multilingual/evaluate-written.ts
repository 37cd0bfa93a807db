import type { ClassifyingAnalysis } from "@hourglass/analysis";
import { encodersOf } from "@hourglass/analysis/encoder";
import type { Evaluation } from "../../evaluation.js";
import { bootstrap, calibrationErrorByChance } from "../../intervals.js";
import { judge } from "../../linear/judge.js";
import { accuracy, macroF1 } from "../../metrics.js";
import { foreignSamples } from "../../written-rows.js";
import { scoreWithEncoder } from "../score-texts.js";
import { calibrationOf } from "./evaluate-multilingual.js";

/**
 * Evaluates the encoder for other languages on the held-out rows that were written for training. They are few, so the
 * error that a perfectly calibrated model would show on as many is given beside the calibration error.
 */
export const evaluateWritten = async (analysis: ClassifyingAnalysis): Promise<Evaluation> => {
  const { multilingual } = encodersOf();
  const { labels, temperature, dev = {} } = multilingual.card.tasks[analysis];
  const samples = foreignSamples(analysis);
  const judgements = judge(await scoreWithEncoder(multilingual, analysis, samples), labels, temperature);
  const intervals = bootstrap(judgements);
  const stated = (name: string): { stated?: number } => (dev[name] === undefined ? {} : { stated: dev[name] });
  return {
    analysis: `${analysis}, other languages`,
    method: multilingual.card.version,
    metrics: [
      { name: "texts", value: judgements.length },
      { name: "accuracy", value: accuracy(judgements), interval: intervals.accuracy, ...stated("accuracy") },
      { name: "macroF1", value: macroF1(judgements), interval: intervals.macroF1, ...stated("macroF1") },
      { name: "calibrationError", ...calibrationOf(judgements), ...stated("calibrationError") },
      { name: "calibrationError by chance", ...calibrationErrorByChance(judgements), better: "lower" },
    ],
  };
};
