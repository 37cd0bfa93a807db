import { fileURLToPath } from "node:url";
import type { InferenceSession, Tensor } from "onnxruntime-node";
import { loadOnnxRuntime } from "../engines/onnx-runtime.js";
import { sha256OfFile } from "../models/model.js";

/** A network for pictures of a fixed size. */
interface NetworkFile {
  file: URL;
  /** Absent if the caller has verified the file. */
  sha256?: string;
  /** Name of its input: rows of pixels with three numbers from 0 to 255. */
  input: string;
  /** Width and height of the input picture. */
  side: number;
}

/** Computes the outputs for a picture; they are read by name. */
type RunNetwork = (pixels: Float32Array) => Promise<(output: string) => Float32Array>;

/**
 * Without an arena, which would keep the largest amount ever used. Few threads, because several processes may be
 * working; they sleep while they wait.
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

/** Loads a network for pictures after verifying its file. Rejects with a sentence for the operator. */
export const loadNetwork = async ({ input, side, ...checked }: NetworkFile): Promise<RunNetwork> => {
  const { session, Tensor, name } = await openSession(checked);
  return async (pixels) => {
    const outputs = await session.run({ [input]: new Tensor("float32", pixels, [1, side, side, 3]) });
    return (output) => floatsOf(outputs[output], `${name}, output ${output}`);
  };
};

/** An open network, with the class of its inputs. */
interface OpenSession {
  session: InferenceSession;
  Tensor: typeof Tensor;
  /** Name of its file, for messages. */
  name: string;
}

/** Opens a network with the settings for picture analyses; the product's own files are verified first. */
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

/** The numbers of an output; throws if it is missing or of another type. */
export const floatsOf = (tensor: Tensor | undefined, what: string): Float32Array => {
  if (!(tensor?.data instanceof Float32Array)) throw new Error(`${what}, is missing or not of 32-bit floats`);
  return tensor.data;
};
