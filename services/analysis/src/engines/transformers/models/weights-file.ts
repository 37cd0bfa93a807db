/** The weights file of a network. */
export interface WeightsFile {
  /** Path below the model's folder. */
  path: string;
  /** Subfolder of the model's folder, and data type, as the library expects them. */
  subfolder: string;
  dtype: string;
  /** Files in the same folder that hold the rest of the weights. */
  external: readonly string[];
}

/**
 * In order of preference: 8-bit weights classify equally well at a quarter of the size, and are faster without an
 * accelerator.
 */
const KINDS = [
  ["_quantized", "q8"],
  ["_int8", "int8"],
  ["_uint8", "uint8"],
  ["", "fp32"],
] as const;
const FOLDERS = ["onnx", ""] as const;

/** Selects weights among the files of a model; undefined if it has no ONNX weights of that network. */
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
