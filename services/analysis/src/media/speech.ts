import type { InferenceSession, Tensor } from "onnxruntime-node";
import type { EngineSettings } from "../types.js";
import { loadOnnxRuntime } from "../engines/onnx-runtime.js";
import { ModelError, pullCommand, spellModelId } from "../models/model.js";
import { findUtterances, readSamples, SAMPLE_RATE } from "./audio.js";
import type { MediaFacts } from "./probe/facts.js";
import {
  hasSpeechModel,
  provideSpeechModel,
  speechModel,
  type SpeechModelFiles,
  type TokenDecoder,
} from "./speech-model.js";

/** The speech in a recording; empty if nobody speaks, or if nothing is understood. */
export interface Transcript {
  text: string;
  segments: SpokenSegment[];
  /** Duration in seconds, to a tenth, of speech left out because it was not understood; absent if there was none. */
  unclearSeconds?: number;
  model: { id: string; version: string };
}

/** Words spoken from `start` to `end`, in seconds to a tenth. */
export interface SpokenSegment {
  start: number;
  end: number;
  text: string;
}

interface TranscribeOptions {
  settings: EngineSettings;
  /** Ends the work, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** A loaded model. */
interface SpeechModel {
  model: { id: string; version: string };
  recognize: Recognize;
  tokens: TokenDecoder;
}

const loadedModels = new Map<string, Promise<SpeechModel>>();

/**
 * Transcribes a recording or video. Only stretches with a voice are passed to the model, and uncertain results are
 * dropped, so that silence, noise and music give an empty transcript, and usually languages other than English, too.
 *
 * Throws ModelError if no model is available, UnreadableFileError if the sound cannot be decoded, and
 * FfmpegMissingError.
 */
export async function transcribe(
  file: string,
  facts: MediaFacts,
  { settings, signal }: TranscribeOptions,
): Promise<Transcript> {
  const speech = await loadSpeechModel(settings);
  const samples = readSamples(file, facts, { settings: settings.media ?? {}, signal });
  const segments: SpokenSegment[] = [];
  let unclear = 0;
  for await (const { start, samples: heard } of findUtterances(samples)) {
    signal?.throwIfAborted();
    const hypothesis = await speech.recognize(heard, signal);
    const text = speech.tokens.text(hypothesis.tokens);
    // The model transcribes breath as punctuation only, for example "…".
    if (!/[\p{L}\p{N}]/u.test(text)) continue;
    if (isCredible(hypothesis)) segments.push({ start: tenths(start), end: tenths(start + heard.length), text });
    else unclear += heard.length;
  }
  const text = segments.map((segment) => segment.text).join(" ");
  return { text, segments, ...(unclear > 0 ? { unclearSeconds: tenths(unclear) } : {}), model: speech.model };
}

/**
 * Whether a speech model is available; if not, `error` says what to do. Checks whether its files exist, and neither
 * loads nor downloads them.
 */
export async function speechStatus(settings: EngineSettings): Promise<{ ready: boolean; error?: string }> {
  try {
    if (await hasSpeechModel(settings)) return { ready: true };
    // Without network access this only determines the reason.
    if (settings.offline === true || settings.modelsDir === undefined) await provideSpeechModel(settings);
    const name = spellModelId(speechModel(settings));
    const advice = `it is downloaded when the first sound comes, or by ${pullCommand(name)}`;
    return { ready: false, error: `Model ${name} is not in MODELS_DIR: ${advice}.` };
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return { ready: false, error: error.message };
  }
}

const tenths = (samples: number): number => Math.round((samples / SAMPLE_RATE) * 10) / 10;

/** Loads a model once per process; a failed attempt is retried the next time. */
async function loadSpeechModel(settings: EngineSettings): Promise<SpeechModel> {
  const key = `${settings.modelsDir ?? ""} ${spellModelId(speechModel(settings))}`;
  const loading = loadedModels.get(key) ?? openSpeechModel(settings);
  loadedModels.set(key, loading);
  try {
    return await loading;
  } catch (error) {
    loadedModels.delete(key);
    throw error;
  }
}

async function openSpeechModel(settings: EngineSettings): Promise<SpeechModel> {
  const files = await provideSpeechModel(settings);
  try {
    const recognize = await loadRecognizer(files);
    return { model: { id: files.id, version: files.version }, recognize, tokens: files.tokens };
  } catch (error) {
    const why = `Model ${files.id} cannot be loaded: run ${pullCommand(files.id)}, or name another as MODEL_SPEECH.`;
    throw new ModelError("damaged", why, { cause: error });
  }
}

/** Transcribes an utterance (16 kHz). */
type Recognize = (samples: Float32Array, signal?: AbortSignal) => Promise<Hypothesis>;

const BEGIN = 1n;
const END = 2;
/** Minimum input of the encoder's first layers; shorter sounds are padded with silence. */
const SAMPLES_MIN = SAMPLE_RATE / 2;

/**
 * The arena never frees the memory of the longest utterance, so it is off. Waiting threads do not spin, which would
 * take twice the processor time for the same work.
 */
const OPTIONS: InferenceSession.SessionOptions = {
  intraOpNumThreads: 2,
  interOpNumThreads: 1,
  executionMode: "sequential",
  enableCpuMemArena: false,
  enableMemPattern: false,
  logSeverityLevel: 4,
  extra: { session: { intra_op: { allow_spinning: "0" } } },
};

/**
 * Loads a Moonshine model: an audio encoder, and a decoder that generates one token at a time. It runs on its own
 * threads.
 */
async function loadRecognizer({ encoder, decoder }: SpeechModelFiles): Promise<Recognize> {
  const onnx = await loadOnnxRuntime();
  const [encoderSession, decoderSession] = await Promise.all([
    onnx.InferenceSession.create(encoder, OPTIONS),
    onnx.InferenceSession.create(decoder, OPTIONS),
  ]);
  const only = (feeds: Record<string, Tensor>, { inputNames }: InferenceSession): Record<string, Tensor> =>
    Object.fromEntries(Object.entries(feeds).filter(([name]) => inputNames.includes(name)));
  const integer = (values: bigint[] | BigInt64Array, dims: number[]): Tensor =>
    new onnx.Tensor("int64", BigInt64Array.from(values), dims);

  return async (spoken, signal) => {
    const samples = spoken.length >= SAMPLES_MIN ? spoken : padded(spoken);
    const mask = integer(new BigInt64Array(samples.length).fill(1n), [1, samples.length]);
    const input = new onnx.Tensor("float32", samples, [1, samples.length]);
    const encoded = await encoderSession.run(only({ input_values: input, attention_mask: mask }, encoderSession));
    const { last_hidden_state: states } = encoded;
    if (states === undefined) throw new Error("the speech model's encoder gives no states");
    let past = emptyPast(decoderSession, onnx.Tensor);
    const most = Math.ceil((samples.length / SAMPLE_RATE) * TOKENS_PER_SECOND);
    const hypothesis: Hypothesis = { tokens: [], logProbs: [] };
    for (let token = BEGIN; hypothesis.tokens.length < most;) {
      signal?.throwIfAborted();
      const isFirst = hypothesis.tokens.length === 0;
      const feeds = {
        encoder_attention_mask: mask,
        input_ids: integer([token], [1, 1]),
        encoder_hidden_states: states,
        use_cache_branch: new onnx.Tensor("bool", Uint8Array.of(isFirst ? 0 : 1), [1]),
        ...past,
      };
      const outputs = await decoderSession.run(only(feeds, decoderSession));
      const next = likeliest(outputs["logits"]);
      if (next.token === END) break;
      hypothesis.tokens.push(next.token);
      hypothesis.logProbs.push(next.logProb);
      if (dropLoop(hypothesis)) break;
      past = pastOf(outputs, past, isFirst);
      token = BigInt(next.token);
    }
    return hypothesis;
  };
}

function padded(samples: Float32Array): Float32Array {
  const filled = new Float32Array(SAMPLES_MIN);
  filled.set(samples);
  return filled;
}

/** The decoder's empty cache before the first token, in the required shape. */
function emptyPast(session: InferenceSession, TensorOf: typeof Tensor): Record<string, Tensor> {
  const past: Record<string, Tensor> = {};
  for (const input of session.inputMetadata) {
    if (!input.isTensor || !input.name.startsWith("past_key_values.")) continue;
    const [, heads, , width] = input.shape;
    past[input.name] = new TensorOf("float32", [], [1, Number(heads), 0, Number(width)]);
  }
  return past;
}

/** The decoder's cache after a token. The encoder part is only output with the first token. */
function pastOf(
  outputs: InferenceSession.ReturnType,
  before: Record<string, Tensor>,
  isFirst: boolean,
): Record<string, Tensor> {
  return Object.fromEntries(
    Object.entries(before).map(([name, tensor]) => {
      const kept = !isFirst && name.includes(".encoder.");
      return [name, kept ? tensor : (outputs[name.replace("past_key_values", "present")] ?? tensor)];
    }),
  );
}

/** The likeliest token and the logarithm of its probability. */
function likeliest(logits: Tensor | undefined): { token: number; logProb: number } {
  if (!(logits?.data instanceof Float32Array)) throw new Error("the speech model's decoder gives no numbers");
  const { data } = logits;
  let token = 0;
  for (let i = 1; i < data.length; i++) if (data[i]! > data[token]!) token = i;
  const top = data[token]!;
  let sum = 0;
  for (const value of data) sum += Math.exp(value - top);
  return { token, logProb: -Math.log(sum) };
}

/** Cuts off a loop at the end of a hypothesis. */
function dropLoop({ tokens, logProbs }: Hypothesis): boolean {
  const length = loopStart(tokens);
  if (length === undefined) return false;
  tokens.length = length;
  logProbs.length = length;
  return true;
}

/** The network's output for an utterance, token by token. */
interface Hypothesis {
  tokens: number[];
  /** Natural logarithm for each token. */
  logProbs: number[];
}

/**
 * Fluent speech has about four words a second; tokens beyond this rate are invented. The number is from Moonshine's
 * authors.
 */
const TOKENS_PER_SECOND = 6.5;

/** Maximum length of repeated token groups, and the number of consecutive repetitions that make a loop. */
const LOOP_TOKENS_MAX = 12;
const LOOP_TIMES = 4;

/**
 * Below this mean, a probability of one half per token, the network is guessing: of sentences spoken by espeak-ng in 14
 * other languages all but one lie below, of English ones none, with and without noise. It would invent English
 * sentences.
 */
const MEAN_LOG_PROB_MIN = Math.log(0.5);

/**
 * The number of tokens to keep if a hypothesis ends in a loop: one repetition is kept, because it may have been said.
 * Undefined if there is no loop.
 */
export function loopStart(tokens: readonly number[]): number | undefined {
  for (let length = 1; length <= LOOP_TOKENS_MAX; length++) {
    const from = tokens.length - length * LOOP_TIMES;
    if (from < 0) return undefined;
    const repeats = tokens.slice(from + length).every((token, i) => token === tokens[from + i]);
    if (repeats) return from + length;
  }
  return undefined;
}

/** Whether the network's confidence in its tokens suffices to report them. */
export function isCredible({ tokens, logProbs }: Hypothesis): boolean {
  if (tokens.length === 0) return false;
  return logProbs.reduce((sum, value) => sum + value, 0) / logProbs.length >= MEAN_LOG_PROB_MIN;
}
