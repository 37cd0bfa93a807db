import type { LinearAnalysis } from "@hourglass/analysis/linear";
import type { Encoder } from "@hourglass/analysis/encoder";
import { type ScoredSample } from "../linear/judge.js";
import { mainLabel, type Sample } from "../linear/sample.js";

/** As many as a thread of the service gets at once. */
const BATCH = 32;

/** Scores every sample with the encoder as it is shipped, in batches of similar length. */
export const scoreWithEncoder = async (
  encoder: Encoder,
  analysis: LinearAnalysis,
  samples: readonly Sample[],
): Promise<ScoredSample[]> => {
  const { labels } = encoder.card.tasks[analysis];
  const order = samples.map((sample, index) => ({ sample, index }));
  order.sort((a, b) => a.sample.text.length - b.sample.text.length);
  const scored = new Array<ScoredSample>(samples.length);
  for (let at = 0; at < order.length; at += BATCH) {
    const batch = order.slice(at, at + BATCH);
    const encoded = await encoder.encode(batch.map(({ sample }) => sample.text));
    batch.forEach(({ sample, index }, i) => {
      const scores = Float64Array.from(encoded[i]?.logits[analysis] ?? []);
      scored[index] = { scores, truth: labels.indexOf(mainLabel(sample)), sample };
    });
  }
  return scored;
};
