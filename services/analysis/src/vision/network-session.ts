import { fileURLToPath } from "node:url";
import type { InferenceSession, Tensor } from "onnxruntime-node";
import { sha256OfFile } from "../model-hub/checksum.js";
import { loadOnnxRuntime } from "../onnx-runtime.js";

/** A network for pictures of one size. */
export interface NetworkFile {
  file: URL;
  sha256: string;
  /** Name of its input, which has rows of pixels of three numbers from 0 to 255. */
  input: string;
  /** Width and height of the picture. */
  side: number;
}

/** Computes the outputs for a picture by name. */
export type RunNetwork = (pixels: Float32Array) => Promise<(output: string) => Float32Array>;

/**
 * No arena: it would keep the most that was ever needed. The threads are few, since several processes may work, and sleep
 * while they wait.
 */
const OPTIONS: InferenceSession.SessionOptions = {
  executionProviders: ["cpu"],
  intraOpNumThreads: 2,
  interOpNumThreads: 1,
  graphOptimizationLevel: "all",
  enableCpuMemArena: false,
  logSeverityLevel: 4,
  extra: { session: { intra_op: { allow_spinning: "0" } } },
};

/** Loads a network after checking its file. Rejects with a sentence for the operator. */
export const loadNetwork = async ({ file: url, sha256, input, side }: NetworkFile): Promise<RunNetwork> => {
  const file = fileURLToPath(url);
  if ((await sha256OfFile(file)) !== sha256) {
    throw new Error(`${file} is damaged: its checksum is not the one it was released with; install the product again`);
  }
  const onnx = await loadOnnxRuntime();
  onnx.env.logLevel = "error";
  const session = await onnx.InferenceSession.create(file, OPTIONS);
  return async (pixels) => {
    const outputs = await session.run({ [input]: new onnx.Tensor("float32", pixels, [1, side, side, 3]) });
    return (name) => floatsOf(outputs[name], `${file}, output ${name}`);
  };
};

const floatsOf = (tensor: Tensor | undefined, what: string): Float32Array => {
  if (!(tensor?.data instanceof Float32Array)) throw new Error(`${what}, is missing or not of 32-bit floats`);
  return tensor.data;
};
