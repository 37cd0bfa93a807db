import { type HubFile, ModelError } from "../../../model-hub/index.js";
import type { VisionModelAnalysis } from "./vision-analysis.js";
import { chooseWeights, type WeightsFile } from "../models/weights-file.js";

const CONFIG = ["config.json", "preprocessor_config.json"];
const TOKENIZER = ["tokenizer.json", "tokenizer_config.json"];
const WELCOME = ["generation_config.json", "hourglass.json", "LICENSE", "LICENSE.txt", "LICENSE.md", "README.md"];

interface Parts {
  /** Required files. */
  files: readonly string[];
  /** Required networks, all in one folder. */
  networks: readonly string[];
}

const ZERO_SHOT: Parts = { files: [...CONFIG, ...TOKENIZER], networks: ["text_model", "vision_model"] };

/** The parts of a model for each analysis. */
const PARTS: Readonly<Record<VisionModelAnalysis, Parts>> = {
  "object-id": { files: CONFIG, networks: ["model"] },
  "activity-id": ZERO_SHOT,
  "logo-id": ZERO_SHOT,
  caption: { files: [...CONFIG, ...TOKENIZER], networks: ["encoder_model", "decoder_model_merged"] },
};

/** The weights of each network of a model, by name; or the missing parts. */
export function chooseParts(
  type: VisionModelAnalysis,
  paths: readonly string[],
): { networks: ReadonlyMap<string, WeightsFile>; missing: readonly string[] } {
  const { files, networks } = PARTS[type];
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
export function selectVisionModelFiles(type: VisionModelAnalysis): (files: readonly HubFile[]) => HubFile[] {
  return (files) => {
    const { networks, missing } = chooseParts(
      type,
      files.map(({ path }) => path),
    );
    if (missing.length > 0) {
      const advice = "choose a model whose page says Transformers.js, such as those of Xenova and onnx-community";
      throw new ModelError("refused", `The model has no ${missing.join(", no ")}, which ${type} needs: ${advice}.`);
    }
    const weights = [...networks.values()].flatMap(({ path, external }) => [path, ...external]);
    const wanted = new Set([...PARTS[type].files, ...WELCOME, ...weights]);
    return files.filter(({ path }) => wanted.has(path));
  };
}
