import type { HubFile } from "../../../models/hub.js";
import { ModelError } from "../../../models/model.js";
import type { ModelParts } from "./model-parts.js";
import { chooseWeights, type WeightsFile } from "../models/weights-file.js";

const WELCOME = ["generation_config.json", "hourglass.json", "LICENSE", "LICENSE.txt", "LICENSE.md", "README.md"];

/** The weights of each network of a model, by name; or the missing parts. */
export function chooseParts(
  { files, networks }: ModelParts,
  paths: readonly string[],
): { networks: ReadonlyMap<string, WeightsFile>; missing: readonly string[] } {
  const chosen = new Map<string, WeightsFile>();
  const missing = files.filter((name) => !paths.includes(name));
  for (const network of networks) {
    const weights = chooseWeights(paths, network);
    if (weights === undefined) missing.push(`onnx/${network}.onnx`);
    else chosen.set(network, weights);
  }
  return { networks: chosen, missing };
}

/**
 * Selects the files of a model on the hub that an analysis needs. The selection throws ModelError if one is missing.
 */
export function selectVisionModelFiles(type: string, parts: ModelParts): (files: readonly HubFile[]) => HubFile[] {
  return (files) => {
    const { networks, missing } = chooseParts(
      parts,
      files.map(({ path }) => path),
    );
    if (missing.length > 0) {
      const advice = "choose a model whose page says Transformers.js, such as those of Xenova and onnx-community";
      throw new ModelError("refused", `The model has no ${missing.join(", no ")}, which ${type} needs: ${advice}.`);
    }
    const weights = [...networks.values()].flatMap(({ path, external }) => [path, ...external]);
    const wanted = new Set([...parts.files, ...WELCOME, ...weights]);
    return files.filter(({ path }) => wanted.has(path));
  };
}
