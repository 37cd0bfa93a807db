/** Folder of what comes with the product: weights, cards, word lists. It lies beside `src` and `dist`. */
const MODELS = new URL("../models/", import.meta.url);

/** URL of a shipped file, or of a folder when the path ends with a slash; such as `encoder/model.onnx`. */
export const shipped = (path: string): URL => new URL(path, MODELS);
