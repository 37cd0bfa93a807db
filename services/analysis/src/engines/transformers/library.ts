import { ModelError } from "../../model-hub/index.js";

/**
 * What is used of @huggingface/transformers. Its own types are not: it is optional, and what was not installed must not
 * break the build.
 */
export interface Transformers {
  env: { allowRemoteModels: boolean; useFSCache: boolean; logLevel: number };
  AutoTokenizer: { from_pretrained(folder: string, options: { local_files_only: true }): Promise<Tokenizer> };
  AutoModelForSequenceClassification: ModelLoader;
  AutoModelForTokenClassification: ModelLoader;
  AutoImageProcessor: { from_pretrained(folder: string, options: { local_files_only: true }): Promise<ImageProcessor> };
  AutoModelForObjectDetection: ModelLoader;
  AutoModelForVision2Seq: ModelLoader<Writer>;
  CLIPTextModelWithProjection: ModelLoader<TextTower>;
  CLIPVisionModelWithProjection: ModelLoader<VisionTower>;
  /** Three bytes a pixel. */
  RawImage: new (rgb: Uint8Array, width: number, height: number, channels: 3) => Picture;
  Tensor: new (type: "int64", data: BigInt64Array, dims: readonly number[]) => Tensor;
}

export interface ModelLoader<N = Network> {
  from_pretrained(folder: string, options: LoadOptions): Promise<N>;
}

export interface LoadOptions {
  local_files_only: true;
  device: "cpu";
  /** For all networks of the model, or by the name of each. */
  dtype: string | Readonly<Record<string, string>>;
  /** Folder of the weights below the model's. */
  subfolder: string;
  /** Files of external data beside the weights. */
  use_external_data_format: number | Readonly<Record<string, number>>;
  session_options: { intraOpNumThreads: number; interOpNumThreads: number; enableCpuMemArena?: boolean };
}

export interface Tensor {
  readonly data: ArrayLike<number> | ArrayLike<bigint>;
  readonly dims: readonly number[];
}

/** Inputs of a network, by name. */
export type Inputs = Readonly<Record<string, Tensor>>;

export type Network = (inputs: Inputs) => Promise<{ logits: Tensor }>;

/** A picture of the library's own kind. */
export interface Picture {
  readonly width: number;
  readonly height: number;
}

/** Makes of a picture what a network was trained to see. */
export type ImageProcessor = (picture: Picture) => Promise<Inputs & { pixel_values: Tensor }>;

/** Half of a network that holds texts against pictures. */
export type TextTower = (inputs: Inputs) => Promise<{ text_embeds: Tensor }>;
export type VisionTower = (inputs: Inputs) => Promise<{ image_embeds: Tensor }>;

/** A network that writes about a picture. */
export interface Writer {
  /** Numbers of the pieces written, one row for each picture. */
  generate(options: { inputs: Tensor; max_new_tokens: number }): Promise<Tensor>;
}

export interface Tokenizer {
  (text: string, options: { text_pair?: string; truncation: true; max_length: number }): Inputs;
  /** The shorter texts are filled up to the length of the longest. */
  (texts: readonly string[], options: { padding: true; truncation: true }): Inputs;
  batch_decode(pieces: Tensor, options: { skip_special_tokens: true }): string[];
  encode(text: string, options: { add_special_tokens: boolean }): number[];
  /** Absent or astronomical where the tokenizer's file does not say. */
  readonly model_max_length?: number;
}

const PACKAGE = "@huggingface/transformers";
const VERSION = "4.3.1";
/** The library tells errors by throwing them; its own log would mix with ours. */
const LOG_NOTHING = 50;

let loading: Promise<Transformers> | undefined;

/** The library, loaded on first use and kept from the network. Throws ModelError when it is not installed. */
export function loadTransformers(): Promise<Transformers> {
  loading ??= importLibrary();
  loading.catch(() => (loading = undefined));
  return loading;
}

async function importLibrary(): Promise<Transformers> {
  let loaded: unknown;
  try {
    loaded = await import(PACKAGE);
  } catch (error) {
    const advice = `npm install --no-save ${PACKAGE}@${VERSION}`;
    throw new ModelError("absent", `The engine "models" needs ${PACKAGE}, which is not installed: run ${advice}.`, {
      cause: error,
    });
  }
  const library = loaded as Transformers;
  library.env.allowRemoteModels = false;
  library.env.useFSCache = false;
  library.env.logLevel = LOG_NOTHING;
  return library;
}
