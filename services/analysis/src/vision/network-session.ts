import { fileURLToPath } from "node:url";
import type { InferenceSession, Tensor } from "onnxruntime-node";
import { sha256OfFile } from "../model-hub/checksum.js";
import { loadOnnxRuntime } from "../engines/onnx-runtime.js";

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

/** Loads a network for pictures after checking its file. Rejects with a sentence for the operator. */
export const loadNetwork = async ({ input, side, ...checked }: NetworkFile): Promise<RunNetwork> => {
  const { session, Tensor, name } = await openSession(checked);
  return async (pixels) => {
    const outputs = await session.run({ [input]: new Tensor("float32", pixels, [1, side, side, 3]) });
    return (output) => floatsOf(outputs[output], `${name}, output ${output}`);
  };
};

/** A network to be run, with what its inputs are made of. */
export interface OpenSession {
  session: InferenceSession;
  Tensor: typeof Tensor;
  /** Of its file, for messages. */
  name: string;
}

/** Opens a network as all that look at pictures are run; of the product's own the file is checked first. */
export const openSession = async (
  { file, sha256 }: { file: URL; sha256?: string },
  options: InferenceSession.SessionOptions = {},
): Promise<OpenSession> => {
  const name = fileURLToPath(file);
  if (sha256 !== undefined && (await sha256OfFile(name)) !== sha256) {
    throw new Error(`${name} is damaged: its checksum is not the one it was released with; install the product again`);
  }
  const onnx = await loadOnnxRuntime();
  onnx.env.logLevel = "error";
  const session = await onnx.InferenceSession.create(name, { ...OPTIONS, ...options });
  return { session, Tensor: onnx.Tensor, name };
};

/** The numbers of an output; throws when there are none, or of another kind. */
export const floatsOf = (tensor: Tensor | undefined, what: string): Float32Array => {
  if (!(tensor?.data instanceof Float32Array)) throw new Error(`${what}, is missing or not of 32-bit floats`);
  return tensor.data;
};
