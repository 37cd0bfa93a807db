/** Where the encoder's model lies. Models stay beside the sources; from `dist` the path leads back to them. */
export const ENCODER_FOLDER: URL = new URL("../../src/encoder/model/", import.meta.url);

export const TOKENIZER_FILE = "tokenizer.json";
export const WEIGHTS_FILE = "model.onnx";
export const CARD_FILE = "model.json";
