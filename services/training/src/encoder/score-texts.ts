import type { ClassifyingAnalysis } from "@hourglass/analysis";
import { createDocument } from "@hourglass/analysis";
import { createScores, type Encoder, encodingOf, prepareEncodings } from "@hourglass/analysis/encoder";
import { featurize } from "@hourglass/analysis/linear";
import { type ScoredSample } from "../linear/judge.js";
import { mainLabel, type Sample } from "../sample.js";

/** Batch size of a thread of the service. */
const BATCH = 32;

/** Scores every sample like the accurate engine, in batches of similar length. */
export const scoreWithEncoder = async (
  encoder: Encoder,
  analysis: ClassifyingAnalysis,
  samples: readonly Sample[],
): Promise<ScoredSample[]> => {
  const { labels } = encoder.card.tasks[analysis];
  const scoresOf = createScores(analysis, encoder.card);
  const order = samples.map((sample, index) => ({ sample, index }));
  order.sort((a, b) => a.sample.text.length - b.sample.text.length);
  const scored = new Array<ScoredSample>(samples.length);
  for (let at = 0; at < order.length; at += BATCH) {
    const batch = order.slice(at, at + BATCH);
    const documents = batch.map(({ sample }) => createDocument(sample.text));
    await prepareEncodings(documents, { english: encoder, multilingual: encoder });
    documents.forEach((document, i) => {
      const { sample, index } = batch[i]!;
      const scores = scoresOf(encodingOf(document).logits, () => featurize(document.text));
      scored[index] = { scores, truth: labels.indexOf(mainLabel(sample)), sample };
    });
  }
  return scored;
};
