/** The exports for training and evaluating the encoder. */
export {
  CARD_FILE,
  ENCODER_FOLDER,
  type EncoderCard,
  type EncoderTask,
  MULTILINGUAL_FOLDER,
  readEncoderCard,
  TOKENIZER_FILE,
  WEIGHTS_FILE,
} from "../engines/encoder/card.js";
export { createScores } from "../engines/encoder/classifier.js";
export {
  type Encoder,
  encoderOf,
  type Encoders,
  encodersOf,
  encodingOf,
  prepareEncodings,
} from "../engines/encoder/encoder.js";
export { createVocabulary, type Pieces } from "../engines/encoder/vocabulary.js";
