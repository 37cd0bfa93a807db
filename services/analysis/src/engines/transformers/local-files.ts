import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { sha256OfFile } from "../../models/model.js";
import type { LocalModel } from "../../models/provide.js";
import type { WeightsFile } from "./models/weights-file.js";

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
