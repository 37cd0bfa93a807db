import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import type { EngineSettings } from "../engine-settings.js";
import { sha256OfFile } from "../model-hub/checksum.js";
import {
  folderOfModel,
  type HubFile,
  inspectModel,
  MANIFEST_FILE,
  ModelError,
  type ModelId,
  parseModelId,
  provideModel,
  pullCommand,
  spellModelId,
} from "../model-hub/index.js";
import { readBinaryTokenizer, readJsonTokenizer, type TokenReader } from "./tokenizer.js";

/** The model used unless MODEL_SPEECH names another; English, MIT. */
export const DEFAULT_SPEECH_MODEL = "onnx-community/moonshine-tiny-ONNX";

const HUB = "https://huggingface.co";

/**
 * Possible locations of the parts of a model, in order of preference: first as in the wheel of moonshine-voice, then as
 * on Hugging Face. Full precision comes before quantized weights, which may lose words.
 */
const PLACES = {
  encoder: [
    "encoder_model.ort",
    ...["", "_fp16", "_quantized"].map((kind) => `onnx/encoder_model${kind}.onnx`),
    "encoder_model.onnx",
  ],
  decoder: [
    "decoder_model_merged.ort",
    ...["", "_quantized"].map((kind) => `onnx/decoder_model_merged${kind}.onnx`),
    "decoder_model_merged.onnx",
  ],
  tokenizer: ["tokenizer.bin", "tokenizer.json"],
} as const;
type Part = keyof typeof PLACES;
const PARTS = Object.keys(PLACES) as Part[];

/** The parts of a model on this machine. */
export interface SpeechModelFiles {
  id: string;
  /** The first half of the checksum over both networks. */
  version: string;
  /** Absolute paths. */
  encoder: string;
  decoder: string;
  tokens: TokenReader;
}

/** The speech model: the configured one, otherwise the default. Throws ModelError if it is malformed. */
export const speechModel = ({ media }: EngineSettings): ModelId =>
  parseModelId(media?.models?.speech ?? DEFAULT_SPEECH_MODEL);

/** Selects the required files of a Hugging Face model. Throws ModelError if a part is missing. */
export function selectSpeechModelFiles(files: readonly HubFile[]): readonly HubFile[] {
  const chosen = PARTS.map((part) => {
    const found = PLACES[part]
      .map((place) => files.find((file) => file.path === place))
      .find((file) => file !== undefined);
    if (found !== undefined) return found;
    throw new ModelError("refused", `It is no Moonshine model in ONNX: it has no ${PLACES[part].at(-1) ?? part}.`);
  });
  return [...chosen, ...files.filter((file) => file.path === "config.json")];
}

/** Whether a model's parts are on this machine; does not download. */
export async function isSpeechModelHere(settings: EngineSettings): Promise<boolean> {
  const { modelsDir } = settings;
  if (modelsDir === undefined) return false;
  const model = speechModel(settings);
  return (await handmade(modelsDir, model)) || (await inspectModel(modelsDir, model, true)).state === "ready";
}

/**
 * Finds the parts of the model; downloads missing ones unless that is forbidden. Throws a ModelError whose message says
 * what to do.
 */
export async function provideSpeechModel(settings: EngineSettings, signal?: AbortSignal): Promise<SpeechModelFiles> {
  const { modelsDir, offline = false, hub = { endpoint: HUB } } = settings;
  if (modelsDir === undefined) throw new ModelError("absent", "No folder for models is configured: set MODELS_DIR.");
  const model = speechModel(settings);
  if (!(await handmade(modelsDir, model))) {
    await provideModel(model, { modelsDir, offline, hub, select: selectSpeechModelFiles, signal });
  }
  const name = spellModelId(model);
  const { encoder, decoder, tokenizer } = await partsIn(folderOfModel(modelsDir, model));
  if (encoder === undefined || decoder === undefined || tokenizer === undefined) {
    throw new ModelError("damaged", `Model ${name} lacks a part: run ${pullCommand(name)}.`);
  }
  const sums = `${await sha256OfFile(encoder)}${await sha256OfFile(decoder)}`;
  return { id: name, version: shorten(sums), encoder, decoder, tokens: await readTokens(name, tokenizer) };
}

/** Twelve digits of two checksums, six of each: enough to distinguish models. */
const shorten = (sums: string): string => `${sums.slice(0, 6)}${sums.slice(64, 70)}`;

/** Whether all parts are present but were put there by hand, so that no checksums exist. */
async function handmade(modelsDir: string, model: ModelId): Promise<boolean> {
  const folder = folderOfModel(modelsDir, model);
  const parts = await partsIn(folder);
  return PARTS.every((part) => parts[part] !== undefined) && !(await isFile(path.join(folder, MANIFEST_FILE)));
}

async function partsIn(folder: string): Promise<Partial<Record<Part, string>>> {
  const parts: Partial<Record<Part, string>> = {};
  for (const part of PARTS) {
    for (const place of PLACES[part]) {
      const file = path.join(folder, place);
      if (parts[part] === undefined && (await isFile(file))) parts[part] = file;
    }
  }
  return parts;
}

const isFile = (file: string): Promise<boolean> =>
  stat(file).then(
    (found) => found.isFile(),
    () => false,
  );

async function readTokens(name: string, file: string): Promise<TokenReader> {
  try {
    const bytes = await readFile(file);
    return file.endsWith(".bin") ? readBinaryTokenizer(bytes) : readJsonTokenizer(bytes.toString("utf8"));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ModelError("damaged", `Model ${name} is damaged (${why}): run ${pullCommand(name)}.`, { cause: error });
  }
}
