import { shipped } from "../../shipped-models.js";

/** Folder of the encoder's model. */
export const ENCODER_FOLDER: URL = shipped("encoder/");

export const TOKENIZER_FILE = "tokenizer.json";
export const WEIGHTS_FILE = "model.onnx";
export const CARD_FILE = "model.json";
