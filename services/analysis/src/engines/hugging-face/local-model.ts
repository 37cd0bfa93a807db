import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { sha256OfFile } from "../../models/model.js";
import type { LocalModel } from "../../models/provide.js";

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

/** Paths below a model's folder. For downloaded models the manifest decides: other files in the folder are ignored. */
export async function filesOf({ folder, manifest }: LocalModel): Promise<string[]> {
  if (manifest !== undefined) return Object.keys(manifest.files);
  const entries = await readdir(folder, { recursive: true });
  return entries.map((entry) => entry.split(path.sep).join("/"));
}

/**
 * Distinguishes results of this model from those of another one with the same name: the commit it was downloaded at,
 * otherwise a hash of its weights; plus a hash of `ownSettings`, the operator's hourglass.json.
 */
export async function versionOf(
  { manifest, folder }: LocalModel,
  weights: readonly WeightsFile[],
  ownSettings: string | undefined,
): Promise<string> {
  const own = ownSettings === undefined ? "" : `+${hashOf(ownSettings).slice(0, 6)}`;
  if (manifest !== undefined) return `${manifest.commit.slice(0, 12)}${own}`;
  const hashes = await Promise.all(weights.map((file) => sha256OfFile(path.join(folder, file.path))));
  const hash = hashes.length === 1 ? (hashes[0] ?? "") : hashOf(hashes.join());
  return `local-${hash.slice(0, 12)}${own}`;
}

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");
