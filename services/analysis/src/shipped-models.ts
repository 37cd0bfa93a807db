/** Folder of the shipped weights, cards and word lists, next to `src` and `dist`. */
const MODELS = new URL("../models/", import.meta.url);

/** URL of a shipped file, for example `encoder/model.onnx`, or of a folder if the path ends with a slash. */
export const shipped = (path: string): URL => new URL(path, MODELS);
