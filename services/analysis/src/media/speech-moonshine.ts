import type { InferenceSession, Tensor } from "onnxruntime-node";
import { loadOnnxRuntime } from "../engines/onnx-runtime.js";
import { SAMPLE_RATE } from "./audio.js";
import { dropLoop, type Hypothesis, likeliest } from "./speech-hypotheses.js";
import { SPEECH_SESSION } from "./speech-session.js";

/** Transcribes an utterance (16 kHz). */
export type MoonshineListener = (samples: Float32Array, signal?: AbortSignal) => Promise<Hypothesis>;

const BEGIN = 1n;
const END = 2;
/** Minimum input of the encoder's first layers; shorter sounds are padded with silence. */
const SAMPLES_MIN = SAMPLE_RATE / 2;

/**
 * Fluent speech has about four words a second; tokens beyond this rate are invented. The number is from Moonshine's
 * authors.
 */
const TOKENS_PER_SECOND = 6.5;

/**
 * Loads a Moonshine model: an audio encoder, and a decoder that generates one token at a time. It runs on its own
 * threads.
 */
export async function loadMoonshine({
  encoder,
  decoder,
}: {
  encoder: string;
  decoder: string;
}): Promise<MoonshineListener> {
  const onnx = await loadOnnxRuntime();
  const [encoderSession, decoderSession] = await Promise.all([
    onnx.InferenceSession.create(encoder, SPEECH_SESSION),
    onnx.InferenceSession.create(decoder, SPEECH_SESSION),
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
      const { logits } = outputs;
      if (!(logits?.data instanceof Float32Array)) throw new Error("the speech model's decoder gives no numbers");
      const next = likeliest(logits.data);
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
