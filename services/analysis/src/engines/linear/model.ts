import { CARD_FILE, type ClassifierCard, isClassifierCard, readCardFile, readWeights } from "../../models/shipped.js";
import { DENSE_FEATURES, FEATURIZER } from "../../text/ngrams/features.js";
import { decodeWeights, type Weights } from "./weights.js";

/** Contents of `model.json`; the weights are in the same folder. */
export interface ModelCard extends ClassifierCard {
  /** The training parameters, for reproduction. */
  training: Record<string, string | number | boolean>;
}

/** A model in memory. */
export interface LinearModel {
  readonly card: ModelCard;
  readonly weights: Weights;
}

/** Reads `model.json` of a model folder. */
export const readCard = (folder: URL): ModelCard => {
  const card: unknown = readCardFile(folder);
  if (!isCard(card)) throw new Error(`${new URL(CARD_FILE, folder).pathname} is not a model card`);
  if (card.featurizer !== FEATURIZER) {
    throw new Error(
      `the model of ${card.type} was trained with featurizer ${card.featurizer}, this code has ${FEATURIZER}: train it again`,
    );
  }
  return card;
};

/** Reads and verifies a model folder. Throws with the reason if a file is missing, damaged or of another featurizer. */
export const readModel = (folder: URL): LinearModel => {
  const card = readCard(folder);
  const weights = decodeWeights(readWeights(folder, card, `the model of ${card.type}`));
  if (
    weights.scales.length !== card.labels.length ||
    weights.dense.length !== DENSE_FEATURES.length * card.labels.length
  ) {
    throw new Error(`the model of ${card.type} does not fit its card: labels or dense features differ`);
  }
  return { card, weights };
};

const isCard = (card: unknown): card is ModelCard => isClassifierCard(card) && "training" in card;
