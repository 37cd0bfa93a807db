import { ModelError } from "../../models/model.js";

/**
 * The used part of @huggingface/transformers. Its own types are not imported: the package is optional, and the build
 * must not depend on it.
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
  /** Three bytes per pixel. */
  RawImage: new (rgb: Uint8Array, width: number, height: number, channels: 3) => Picture;
  Tensor: new (type: "int64", data: BigInt64Array, dims: readonly number[]) => Tensor;
}

export interface ModelLoader<N = Network> {
  from_pretrained(folder: string, options: LoadOptions): Promise<N>;
}

export interface LoadOptions {
  local_files_only: true;
  device: "cpu";
  /** For all networks of the model, or by network name. */
  dtype: string | Readonly<Record<string, string>>;
  /** Subfolder of the weights in the model's folder. */
  subfolder: string;
  /** Number of external data files of the weights. */
  use_external_data_format: number | Readonly<Record<string, number>>;
  session_options: { intraOpNumThreads: number; interOpNumThreads: number; enableCpuMemArena?: boolean };
}

export interface Tensor {
  readonly data: ArrayLike<number> | ArrayLike<bigint>;
  readonly dims: readonly number[];
}

/** Inputs of a network, by name. */
export type Inputs = Readonly<Record<string, Tensor>>;

/** Detectors also output boxes. */
export type Network = (inputs: Inputs) => Promise<{ logits: Tensor; pred_boxes?: Tensor }>;

/** The library's picture type. */
export interface Picture {
  readonly width: number;
  readonly height: number;
}

/** Preprocesses a picture into a network's inputs. */
export type ImageProcessor = (picture: Picture) => Promise<Inputs & { pixel_values: Tensor }>;

/** The text half of a network that compares texts with pictures. */
export type TextTower = (inputs: Inputs) => Promise<{ text_embeds: Tensor }>;
export type VisionTower = (inputs: Inputs) => Promise<{ image_embeds: Tensor }>;

/** A network that generates text about a picture. */
export interface Writer {
  /** Ids of the generated pieces, one row per picture. */
  generate(options: { inputs: Tensor; max_new_tokens: number }): Promise<Tensor>;
}

export interface Tokenizer {
  (text: string, options: { text_pair?: string; truncation: true; max_length: number }): Inputs;
  /** Shorter texts are padded to the longest. */
  (texts: readonly string[], options: { padding: true; truncation: true }): Inputs;
  batch_decode(pieces: Tensor, options: { skip_special_tokens: true }): string[];
  encode(text: string, options: { add_special_tokens: boolean }): number[];
  /** Absent or astronomically large if the tokenizer's file has no value. */
  readonly model_max_length?: number;
}

const PACKAGE = "@huggingface/transformers";
const VERSION = "4.3.1";
/** Errors are thrown anyway; the library's own log would mix with that of the product. */
const LOG_NOTHING = 50;

let loading: Promise<Transformers> | undefined;

/** The library, loaded on first use, with network access disabled. Throws ModelError if it is not installed. */
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
