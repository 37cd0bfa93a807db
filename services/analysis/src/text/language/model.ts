import {
  CARD_FILE,
  type ClassifierCard,
  isClassifierCard,
  readCardFile,
  readWeights,
  shipped,
} from "../../models/shipped.js";
import { FEATURIZER } from "./ngram-reader.js";
import { decodeWeights, type LanguageWeights } from "./weights/weights.js";

/** Folder of the shipped language model. */
export const LANGUAGE_MODEL_FOLDER = shipped("language/");

/** Contents of `model.json`, with ISO 639-1 codes as labels; the weights are in the same folder. */
export interface LanguageCard extends ClassifierCard {
  entries: number;
  /** The training parameters, for reproduction. */
  training: Record<string, string | number>;
}

/** The model in memory. */
export interface LanguageModel {
  readonly card: LanguageCard;
  readonly weights: LanguageWeights;
}

/** Reads and verifies a model folder. Throws with the reason if a file is missing, damaged or of another reader. */
export const readLanguageModel = (folder: URL): LanguageModel => {
  const card: unknown = readCardFile(folder);
  if (!isCard(card)) throw new Error(`${new URL(CARD_FILE, folder).pathname} is not the card of a language model`);
  if (card.featurizer !== FEATURIZER) {
    throw new Error(
      `the language model was trained with featurizer ${card.featurizer}, this code has ${FEATURIZER}: train it again`,
    );
  }
  const weights = decodeWeights(readWeights(folder, card, "the language model"));
  if (weights.biases.length !== card.labels.length) {
    throw new Error("the language model does not fit its card: the number of labels differs");
  }
  return { card, weights };
};

const isCard = (card: unknown): card is LanguageCard => isClassifierCard(card) && "entries" in card;
