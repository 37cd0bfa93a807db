/** What training and evaluating the encoder need of it. */
export { ENCODER_FOLDER, TOKENIZER_FILE } from "./model-folder.js";
export { createPieces, type Pieces } from "./pieces.js";
