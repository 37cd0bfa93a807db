import type { components } from "@hourglass/client";

export type ModelCard = components["schemas"]["ModelCard"];
export type Score = ModelCard["engines"][number]["scores"][number];

/** What says most about a model comes first; of a measure that a card has twice, the first one counts. */
const TELLING = ["accuracy", "f1", "precision", "recall", "word_error_rate", "character_error_rate", "false_positives"];

/** The measure of a model that says most: of the engine that the server uses, or of the first one that was measured. */
export function tellingScore(card: ModelCard, engine: string | null | undefined): Score | undefined {
  const used = card.engines.find((one) => one.engine === engine) ?? card.engines[0];
  const scores = used?.scores ?? [];
  for (const metric of TELLING) {
    const found = scores.find((score) => score.metric === metric);
    if (found !== undefined) return found;
  }
  return scores[0];
}
