import type { InferenceSession, Tensor } from "onnxruntime-node";
import { SAMPLE_RATE } from "../decode/audio/read-samples.js";
import { loadOnnxRuntime } from "../engines/onnx-runtime.js";
import { type Hypothesis, loopStart, TOKENS_PER_SECOND } from "./hypothesis.js";
import type { SpeechModelFiles } from "./model-files.js";

/** Transcribes an utterance (16 kHz). */
export type Recognise = (samples: Float32Array, signal?: AbortSignal) => Promise<Hypothesis>;

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
 * Loads a Moonshine model: an audio encoder, and a decoder that generates one token at a time. It runs on threads of
 * its own.
 */
export async function loadRecogniser({ encoder, decoder }: SpeechModelFiles): Promise<Recognise> {
  const onnx = await loadOnnxRuntime();
  const [hearing, speaking] = await Promise.all([
    onnx.InferenceSession.create(encoder, OPTIONS),
    onnx.InferenceSession.create(decoder, OPTIONS),
  ]);
  const only = (feeds: Record<string, Tensor>, { inputNames }: InferenceSession): Record<string, Tensor> =>
    Object.fromEntries(Object.entries(feeds).filter(([name]) => inputNames.includes(name)));
  const integer = (values: bigint[] | BigInt64Array, dims: number[]): Tensor =>
    new onnx.Tensor("int64", BigInt64Array.from(values), dims);

  return async (heard, signal) => {
    const samples = heard.length >= SAMPLES_MIN ? heard : filledUp(heard);
    const mask = integer(new BigInt64Array(samples.length).fill(1n), [1, samples.length]);
    const input = new onnx.Tensor("float32", samples, [1, samples.length]);
    const encoded = await hearing.run(only({ input_values: input, attention_mask: mask }, hearing));
    const { last_hidden_state: states } = encoded;
    if (states === undefined) throw new Error("the speech model's encoder gives no states");
    let past = emptyPast(speaking, onnx.Tensor);
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
      const outputs = await speaking.run(only(feeds, speaking));
      const next = likeliest(outputs["logits"]);
      if (next.token === END) break;
      hypothesis.tokens.push(next.token);
      hypothesis.logProbs.push(next.logProb);
      if (cutLoop(hypothesis)) break;
      past = pastOf(outputs, past, isFirst);
      token = BigInt(next.token);
    }
    return hypothesis;
  };
}

function filledUp(samples: Float32Array): Float32Array {
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
function cutLoop({ tokens, logProbs }: Hypothesis): boolean {
  const length = loopStart(tokens);
  if (length === undefined) return false;
  tokens.length = length;
  logProbs.length = length;
  return true;
}
