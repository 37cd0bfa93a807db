export { clean } from "../text/language/clean.js";
export { decide, UNDETERMINED } from "../text/language/decide.js";
export { createDetector } from "../text/language/detector.js";
export { createGuesser, type LanguageGuess } from "../text/language/guess.js";
export {
  LANGUAGE_MODEL_FOLDER,
  type LanguageCard,
  type LanguageModel,
  readLanguageModel,
} from "../text/language/model.js";
export { CARD_FILE, WEIGHTS_FILE } from "../models/shipped.js";
export { FEATURIZER, NgramReader } from "../text/language/ngram-reader.js";
export { encodeWeights, type LanguageWeights, packEntry } from "../text/language/weights/weights.js";
