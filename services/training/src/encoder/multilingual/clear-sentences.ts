import type { ClassifyingAnalysis } from "@hourglass/analysis";
import { argmax } from "@hourglass/analysis/linear";
import type { Encoder } from "@hourglass/analysis/encoder";
import { acceptedLabels, readProbes } from "../../probes/rows.js";
import type { Sample } from "../../sample.js";
import { scoreWithEncoder } from "../score-texts.js";

/** Figures on the sentences of a language. */
export interface LanguageFigures {
  rows: number;
  accuracy: number;
  [name: string]: number;
}

/** The share of right labels of an encoder on the hand-made clear sentences, by language. It is measured, never fitted. */
export const onClearSentences = async (
  encoder: Encoder,
  analysis: ClassifyingAnalysis,
): Promise<Record<string, LanguageFigures>> => {
  const samples = readProbes().flatMap((set) =>
    set.rows.flatMap((row): Sample[] => {
      const accepted = acceptedLabels(row, set, analysis);
      if (row.lang === undefined || accepted.length === 0) return [];
      return [
        {
          text: row.text,
          shares: Object.fromEntries(accepted.map((label) => [label, 1])),
          weight: 1,
          source: row.lang,
        },
      ];
    }),
  );
  const { labels } = encoder.card.tasks[analysis];
  const figures: Record<string, LanguageFigures> = {};
  for (const { scores, sample } of await scoreWithEncoder(encoder, analysis, samples)) {
    const own = (figures[sample.source] ??= { rows: 0, accuracy: 0 });
    own.rows++;
    if ((labels[argmax(scores)] ?? "") in sample.shares) own.accuracy++;
  }
  for (const own of Object.values(figures)) own.accuracy = Math.round((own.accuracy / own.rows) * 1e4) / 1e4;
  return figures;
};
