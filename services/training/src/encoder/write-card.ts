import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { CARD_FILE, type EncoderCard } from "@hourglass/analysis/encoder";
import { modelFolder, readModel } from "@hourglass/analysis/linear";
import { RECIPES } from "../recipes/index.js";

/** Writes the card of an encoder with the version that follows from its contents. */
export const writeCard = (folder: URL, card: EncoderCard): void =>
  writeFileSync(new URL(CARD_FILE, folder), `${JSON.stringify({ ...card, version: versionOf(card) }, null, 2)}\n`);

/** Changes with the weights, the vocabulary, the temperatures, and the linear models that contribute. */
const versionOf = ({ sha256, tasks }: EncoderCard): string => {
  const settings = Object.values(tasks).map(({ temperature, linearShare }) => [temperature, linearShare]);
  const linear = RECIPES.map(({ analysis }) => readModel(modelFolder(analysis)).card.version);
  const hash = createHash("sha256").update(JSON.stringify([sha256, settings, linear]));
  return `encoder-${hash.digest("hex").slice(0, 8)}`;
};
