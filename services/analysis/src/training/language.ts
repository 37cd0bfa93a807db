export { clean } from "../text/language/letters.js";
export { createDetector, decide, UNDETERMINED } from "../text/language/detector.js";
export { createGuesser, type LanguageGuess } from "../text/language/guess.js";
export {
  encodeWeights,
  LANGUAGE_MODEL_FOLDER,
  type LanguageCard,
  type LanguageModel,
  type LanguageWeights,
  packEntry,
  readLanguageModel,
} from "../text/language/model.js";
export { CARD_FILE, WEIGHTS_FILE } from "../models/shipped.js";
export { FEATURIZER, NgramReader } from "../text/language/ngram-reader.js";
