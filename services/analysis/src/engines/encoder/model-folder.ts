import { shipped } from "../../models/shipped.js";

/** Folder of the encoder for English. */
export const ENCODER_FOLDER: URL = shipped("encoder/");
/** Folder of the encoder for other languages. */
export const MULTILINGUAL_FOLDER: URL = shipped("encoder-multilingual/");

export const TOKENIZER_FILE = "tokenizer.json";
export const WEIGHTS_FILE = "model.onnx";
export const CARD_FILE = "model.json";
