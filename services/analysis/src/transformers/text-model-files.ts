import { type HubFile, ModelError } from "../model-hub/index.js";

/** The weights that a model is run with. */
export interface WeightsFile {
  /** Path below the model's folder. */
  path: string;
  /** Folder below the model's, and kind of numbers, as the library wants them. */
  subfolder: string;
  dtype: string;
  /** Files beside it that hold the rest of the weights. */
  external: readonly string[];
}

/** In order of preference: 8-bit weights are as good for labels, a quarter the size, and faster without an accelerator. */
const WEIGHTS = [
  ["model_quantized.onnx", "q8"],
  ["model_int8.onnx", "int8"],
  ["model_uint8.onnx", "uint8"],
  ["model.onnx", "fp32"],
] as const;
const FOLDERS = ["onnx", ""] as const;

/** Chooses among the files of a model; undefined when it has no weights in ONNX format. */
export function chooseWeights(paths: readonly string[]): WeightsFile | undefined {
  for (const subfolder of FOLDERS) {
    for (const [name, dtype] of WEIGHTS) {
      const path = subfolder === "" ? name : `${subfolder}/${name}`;
      if (!paths.includes(path)) continue;
      return { path, subfolder, dtype, external: paths.filter((other) => other.startsWith(`${path}_data`)) };
    }
  }
  return undefined;
}

const REQUIRED = ["config.json", "tokenizer.json", "tokenizer_config.json"];
const WELCOME = ["hourglass.json", "LICENSE", "LICENSE.txt", "LICENSE.md", "README.md"];

/** The files of a model on the hub that this engine needs. Throws ModelError when one is not there. */
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
