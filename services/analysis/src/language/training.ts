export { clean } from "./clean.js";
export { decide, UNDETERMINED } from "./decide.js";
export { createDetector } from "./detector.js";
export { createGuesser, type LanguageGuess } from "./guess.js";
export {
  CARD_FILE,
  LANGUAGE_MODEL_FOLDER,
  type LanguageCard,
  type LanguageModel,
  readLanguageModel,
  WEIGHTS_FILE,
} from "./model.js";
export { FEATURIZER, NgramReader } from "./ngram-reader.js";
export { encodeWeights, type LanguageWeights, packEntry } from "./weights.js";
