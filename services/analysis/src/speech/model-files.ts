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

/** Written down with unless MODEL_SPEECH names another; English, MIT. */
export const DEFAULT_SPEECH_MODEL = "onnx-community/moonshine-tiny-ONNX";

const HUB = "https://huggingface.co";

/**
 * Where the parts of a model may lie, the best first: as the wheel of moonshine-voice has them, then as Hugging Face does.
 * Numbers in full before quantized ones, which may lose words.
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

/** The model that speech is written down with: the configured one, else the default. Throws ModelError when it is spelled wrong. */
export const speechModel = ({ media }: EngineSettings): ModelId =>
  parseModelId(media?.models?.speech ?? DEFAULT_SPEECH_MODEL);

/** Chooses what is needed of a model of Hugging Face. Throws ModelError when it lacks a part. */
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

/** Whether a model's parts lie on this machine; does not download. */
export async function isSpeechModelHere(settings: EngineSettings): Promise<boolean> {
  const { modelsDir } = settings;
  if (modelsDir === undefined) return false;
  const model = speechModel(settings);
  return (await handmade(modelsDir, model)) || (await inspectModel(modelsDir, model, true)).state === "ready";
}

/**
 * Finds the parts of the model; fetches them when they are not on this machine, unless that is forbidden. Throws ModelError whose
 * message says what to do.
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

/** Of two checksums twelve digits, six of each: enough to tell models apart. */
const shorten = (sums: string): string => `${sums.slice(0, 6)}${sums.slice(64, 70)}`;

/** Whether all parts lie there without having been downloaded by us, so that there is nothing to hold them against. */
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
