import type { Tensor } from "onnxruntime-node";
import { loadOnnxRuntime } from "../engines/onnx-runtime.js";
import { SAMPLE_RATE } from "./audio.js";
import { dropLoop, type Hypothesis, likeliest } from "./speech-hypotheses.js";
import { SPEECH_SESSION } from "./speech-session.js";

/** What the network knows of its tokens, beside their texts. */
export interface WhisperTokens {
  /** Never said: brackets, notes of music and the like. */
  suppressed: readonly number[];
  /** Never said first: a space, and the end. */
  suppressedFirst: readonly number[];
  /** By ISO 639-1. */
  languages: Readonly<Record<string, number>>;
}

/** A language that an utterance may be in. */
export interface LanguageGuess {
  /** ISO 639-1 */
  language: string;
  prob: number;
}

/** An utterance that Whisper has heard. */
interface Heard {
  /** The likeliest languages, at most six, in order. */
  guesses: LanguageGuess[];
  /** Writes down what is said, taken to be in a language. */
  write: (language: string, signal?: AbortSignal) => Promise<Hypothesis>;
}

/** Hears an utterance of at most 30 s (16 kHz). */
export type WhisperListener = (samples: Float32Array, signal?: AbortSignal) => Promise<Heard>;

const LAYERS = 6;
const HEADS = 8;
const HEAD_WIDTH = 64;

const BEGIN = 50_258;
const END = 50_257;
const TRANSCRIBE = 50_359;
const WITHOUT_TIMES = 50_363;

/** Samples per position of the encoder. */
const STEP = 320;
/** The most that Whisper hears at once. */
const LONGEST = 30 * SAMPLE_RATE;
const SHORTEST = 8 * SAMPLE_RATE;
const SILENCE_AFTER = SAMPLE_RATE;

/** Fluent speech has at most so many tokens a second in languages with other letters, in which a word is several. */
const TOKENS_PER_SECOND = 14;

/** Loads Whisper: an audio encoder, and a decoder that generates one token at a time. It runs on its own threads. */
export async function loadWhisper(
  { encoder, decoder }: { encoder: string; decoder: string },
  { suppressed, suppressedFirst, languages }: WhisperTokens,
): Promise<WhisperListener> {
  const onnx = await loadOnnxRuntime();
  const encoderSession = await onnx.InferenceSession.create(encoder, SPEECH_SESSION);
  const decoderSession = await onnx.InferenceSession.create(decoder, SPEECH_SESSION);
  const never = new Set(suppressed);
  const notFirst = new Set([...suppressed, ...suppressedFirst]);
  const integer = (value: number): Tensor => new onnx.Tensor("int64", BigInt64Array.of(BigInt(value)), [1]);

  /** Passes a token to the decoder, after those before; the result are the logits of the next. */
  const decoding = (heard: Record<string, Tensor>) => {
    let past: Record<string, Tensor> = {};
    for (let layer = 0; layer < LAYERS; layer++) {
      past[`past_key_${layer}`] = new onnx.Tensor("float32", new Float32Array(0), [1, HEADS, HEAD_WIDTH, 0]);
      past[`past_value_${layer}`] = new onnx.Tensor("float32", new Float32Array(0), [1, HEADS, 0, HEAD_WIDTH]);
    }
    let position = 0;
    return async (token: number): Promise<Float32Array> => {
      const feeds = { token: integer(token), position: integer(position++), ...heard, ...past };
      const { logits, ...kept } = await decoderSession.run(feeds);
      past = Object.fromEntries(Object.entries(kept).map(([name, tensor]) => [`past_${name}`, tensor]));
      if (!(logits?.data instanceof Float32Array)) throw new Error("Whisper's decoder gives no numbers");
      return logits.data;
    };
  };

  return async (spoken, signal) => {
    signal?.throwIfAborted();
    const samples = padded(spoken);
    const audio = new onnx.Tensor("float32", samples, [1, 1, samples.length]);
    const heard = await encoderSession.run({ audio });
    return {
      guesses: likeliestLanguages(await decoding(heard)(BEGIN), languages),
      async write(language, signal) {
        const next = decoding(heard);
        for (const token of [BEGIN, languages[language] ?? END, TRANSCRIBE]) await next(token);
        let logits = await next(WITHOUT_TIMES);
        const most = Math.ceil((spoken.length / SAMPLE_RATE) * TOKENS_PER_SECOND);
        const hypothesis: Hypothesis = { tokens: [], logProbs: [] };
        while (hypothesis.tokens.length < most) {
          signal?.throwIfAborted();
          const barred = hypothesis.tokens.length === 0 ? notFirst : never;
          const said = likeliest(logits, (each) => each > END || barred.has(each));
          if (said.token === END) break;
          hypothesis.tokens.push(said.token);
          hypothesis.logProbs.push(said.logProb);
          if (dropLoop(hypothesis)) break;
          logits = await next(said.token);
        }
        return hypothesis;
      },
    };
  };
}

/**
 * The sound with silence after it. Whisper was trained on 30 s, of which most is silence for one utterance; a shorter
 * sound costs less.
 */
function padded(spoken: Float32Array): Float32Array {
  const wanted = Math.min(LONGEST, Math.max(SHORTEST, spoken.length + SILENCE_AFTER));
  const filled = new Float32Array(Math.ceil(wanted / STEP) * STEP);
  filled.set(spoken.subarray(0, filled.length));
  return filled;
}

const GUESSES = 6;

/** The likeliest languages after the first token, with their probabilities among all languages. */
function likeliestLanguages(logits: Float32Array, languages: WhisperTokens["languages"]): LanguageGuess[] {
  const ranked = Object.entries(languages).sort(([, a], [, b]) => logits[b]! - logits[a]!);
  const top = logits[ranked[0]?.[1] ?? 0]!;
  const weights = ranked.map(([language, token]) => ({ language, weight: Math.exp(logits[token]! - top) }));
  const sum = weights.reduce((total, { weight }) => total + weight, 0);
  return weights.slice(0, GUESSES).map(({ language, weight }) => ({ language, prob: weight / sum }));
}
