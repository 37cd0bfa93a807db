/** The exports for training and evaluating the encoder. */
export { type EncoderCard, type EncoderTask, readEncoderCard } from "../engines/encoder/card.js";
export { type Encoder } from "../engines/encoder/encoder.js";
export { encoderOf, type Encoders, encodersOf, encodingOf, prepareEncodings } from "../engines/encoder/encodings.js";
export {
  CARD_FILE,
  ENCODER_FOLDER,
  MULTILINGUAL_FOLDER,
  TOKENIZER_FILE,
  WEIGHTS_FILE,
} from "../engines/encoder/model-folder.js";
export { createVocabulary, type Pieces } from "../engines/encoder/reading/pieces.js";
export { createScores } from "../engines/encoder/scores.js";
