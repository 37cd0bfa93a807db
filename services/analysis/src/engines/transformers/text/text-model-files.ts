import type { HubFile } from "../../../models/hub.js";
import { ModelError } from "../../../models/model.js";
import { chooseWeights } from "../models/weights-file.js";

const REQUIRED = ["config.json", "tokenizer.json", "tokenizer_config.json"];
const WELCOME = ["hourglass.json", "LICENSE", "LICENSE.txt", "LICENSE.md", "README.md"];

/** The required files of a model on the hub. Throws ModelError if one is missing. */
export function selectTextModelFiles(files: readonly HubFile[]): HubFile[] {
  const paths = files.map(({ path }) => path);
  const weights = chooseWeights(paths);
  const missing = REQUIRED.filter((name) => !paths.includes(name));
  if (weights === undefined) missing.push("onnx/model.onnx");
  if (weights === undefined || missing.length > 0) {
    const advice = "choose a model whose page says ONNX or Transformers.js, such as those of Xenova and onnx-community";
    throw new ModelError("refused", `The model has no ${missing.join(", no ")}: ${advice}.`);
  }
  const wanted = new Set([...REQUIRED, ...WELCOME, weights.path, ...weights.external]);
  return files.filter(({ path }) => wanted.has(path));
}
