import { fileURLToPath } from "node:url";
import { keepLoaded } from "../keep-loaded.js";
import { loadOnnxRuntime } from "../engines/onnx-runtime.js";
import { shipped } from "../shipped-models.js";

/** Samples per window: 32 ms at 16 kHz. */
export const WINDOW = 512;

/** Samples before a window that the network gets as context. */
const CONTEXT = 64;
const STATE = 128;
const MODEL = shipped("speech/silero-vad.onnx");

/** Detects voice in one recording, from its start. */
export interface VoiceListener {
  /** Takes the next whole windows, and returns the probability of speech in each. */
  hear(samples: Float32Array): Promise<Float32Array>;
}

/** Starts a recording. The network is Silero VAD, see model/NOTES.md; it is loaded once per process. */
export async function listenForVoices(): Promise<VoiceListener> {
  const { Tensor, session } = await network("silero");
  const empty = () => new Tensor("float32", new Float32Array(STATE), [1, 1, STATE]);
  let [h, c] = [empty(), empty()];
  let context: Float32Array = new Float32Array(CONTEXT);
  return {
    async hear(samples) {
      const count = samples.length / WINDOW;
      const rows = new Float32Array(count * (CONTEXT + WINDOW));
      for (let i = 0; i < count; i++) {
        const window = samples.subarray(i * WINDOW, (i + 1) * WINDOW);
        rows.set(context, i * (CONTEXT + WINDOW));
        rows.set(window, i * (CONTEXT + WINDOW) + CONTEXT);
        context = window.slice(-CONTEXT);
      }
      const { speech_probs, hn, cn } = await session.run({
        input: new Tensor("float32", rows, [count, CONTEXT + WINDOW]),
        h,
        c,
      });
      if (!(speech_probs?.data instanceof Float32Array) || hn === undefined || cn === undefined) {
        throw new Error("silero-vad.onnx has other outputs than it should");
      }
      [h, c] = [hn as typeof h, cn as typeof c];
      return speech_probs.data;
    },
  };
}

async function load() {
  const { InferenceSession, Tensor } = await loadOnnxRuntime();
  const session = await InferenceSession.create(fileURLToPath(MODEL), {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    enableCpuMemArena: false,
    logSeverityLevel: 4,
  });
  return { session, Tensor };
}

const network = keepLoaded((_: "silero") => load());
