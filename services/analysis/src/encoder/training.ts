/** What training and evaluating the encoder need of it. */
export { type EncoderCard, type EncoderTask, readEncoderCard } from "./card.js";
export { type Encoder } from "./encoder.js";
export { encoderOf, prepareEncodings } from "./encodings.js";
export { CARD_FILE, ENCODER_FOLDER, TOKENIZER_FILE, WEIGHTS_FILE } from "./model-folder.js";
export { createPieces, type Pieces } from "./pieces.js";
export { createScores } from "./scores.js";
