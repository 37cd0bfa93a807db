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
      const reason = await fetchModel(this.settings, { log: this.log, signal: this.ending.signal });
      this.isAvailable = reason === undefined;
      return reason;
    } finally {
      this.fetching = undefined;
    }
  }
}

async function fetchModel(
  settings: EngineSettings,
  { log, signal }: { log: ModelLog | undefined; signal: AbortSignal },
): Promise<string | undefined> {
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

/** Converts tokens into text. */
export interface TokenDecoder {
  /** Tokens without text, for example the end of a sentence, are left out. */
  text(tokens: readonly number[]): string;
}

/** Represents a space. */
const BLANK = "\u2581";
const UTF8 = new TextEncoder();

/**
 * Reads the pieces of Moonshine's `tokenizer.bin`: for each token its length, in one byte or, from 128 on, in two (the
 * low seven bits first), then its bytes. Throws a RangeError if the file is truncated.
 */
export function readBinaryTokenizer(file: Uint8Array): TokenDecoder {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < file.length;) {
    let length = file[at++]!;
    if (length >= 128) length = (length & 127) + 128 * (file[at++] ?? 0);
    if (at + length > file.length) throw new RangeError("tokenizer.bin is cut in its last token");
    pieces.push(file.subarray(at, at + length));
    at += length;
  }
  return decoderOf(pieces);
}

/**
 * Reads the vocabulary of a Hugging Face `tokenizer.json` with a BPE model that falls back to bytes. Throws a
 * TypeError.
 */
export function readJsonTokenizer(text: string): TokenDecoder {
  const { model, added_tokens: added = [] } = JSON.parse(text) as {
    model?: { vocab?: Record<string, number> };
    added_tokens?: { id: number; content: string; special?: boolean }[];
  };
  if (typeof model?.vocab !== "object") throw new TypeError("tokenizer.json has no vocabulary");
  const pieces: Uint8Array[] = [];
  for (const [piece, id] of Object.entries(model.vocab)) {
    const byte = /^<0x([0-9A-F]{2})>$/.exec(piece)?.[1];
    pieces[id] = byte === undefined ? UTF8.encode(piece) : Uint8Array.of(Number.parseInt(byte, 16));
  }
  for (const { id, content, special = true } of added) pieces[id] = special ? new Uint8Array(0) : UTF8.encode(content);
  return decoderOf(pieces);
}

function decoderOf(pieces: readonly (Uint8Array | undefined)[]): TokenDecoder {
  const special = /^<(?:unk|s|\/s|<ST_\d+>)>$/;
  const silent = pieces.map((piece) => piece === undefined || special.test(new TextDecoder().decode(piece)));
  return {
    text(tokens) {
      const spoken = tokens.filter((token) => silent[token] === false).map((token) => pieces[token]!);
      // Decoded together, because one letter may be spread over several tokens.
      return new TextDecoder().decode(Buffer.concat(spoken)).replaceAll(BLANK, " ").replace(/\s+/g, " ").trim();
    },
  };
}
