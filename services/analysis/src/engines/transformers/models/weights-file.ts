/** The weights that a network is run with. */
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
const KINDS = [
  ["_quantized", "q8"],
  ["_int8", "int8"],
  ["_uint8", "uint8"],
  ["", "fp32"],
] as const;
const FOLDERS = ["onnx", ""] as const;

/** Chooses among the files of a model; undefined when it has no weights of that network in ONNX format. */
export function chooseWeights(paths: readonly string[], network = "model"): WeightsFile | undefined {
  for (const subfolder of FOLDERS) {
    for (const [suffix, dtype] of KINDS) {
      const name = `${network}${suffix}.onnx`;
      const path = subfolder === "" ? name : `${subfolder}/${name}`;
      if (!paths.includes(path)) continue;
      return { path, subfolder, dtype, external: paths.filter((other) => other.startsWith(`${path}_data`)) };
    }
  }
  return undefined;
}
