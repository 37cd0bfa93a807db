import { fileURLToPath } from "node:url";
import type { InferenceSession } from "onnxruntime-node";
import { sha256OfFile } from "../../model-hub/checksum.js";
import { resizeToFloats } from "../../image/resize.js";
import type { Box, Frame } from "../../visual.js";
import { OBJECT_LABELS, type ObjectLabel } from "./labels.js";

/** What the network says: a box, and how much it speaks for the label, 0 to 1 but not a probability. */
export interface RawObject {
  label: ObjectLabel;
  score: number;
  box: Box;
}

/** Finds what the network sees in a frame, at most 100 objects. */
export type FindObjects = (frame: Frame) => Promise<RawObject[]>;

/**
 * CenterNet on MobileNetV3, trained on COCO (github.com/610265158/mobilenetv3_centernet), from the npm package
 * @vladmandic/human 3.3.6 (MIT), converted by services/training/vision.
 */
const MODEL = new URL("../../../src/vision/objects/model/centernet.onnx", import.meta.url);
const SHA256 = "be4039813513ac633a3b240340a3955e63074498967b667a7c31d0fcec4eb76d";
const SIDE = 512;
const INPUT = "tower_0/images:0";
const OUTPUT = "tower_0/detections";
/** Numbers of an object: left, top, right, bottom in pixels, score, label. */
const ROW = 6;

/** No arena: it would keep the most that was ever needed. The threads are few, since several processes may work. */
const OPTIONS: InferenceSession.SessionOptions = {
  executionProviders: ["cpu"],
  intraOpNumThreads: 2,
  interOpNumThreads: 1,
  graphOptimizationLevel: "all",
  enableCpuMemArena: false,
  logSeverityLevel: 4,
};

let network: Promise<FindObjects> | undefined;

/** The network of this process, loaded on first use. After a failure the next call tries again. */
export const openNetwork = (): Promise<FindObjects> => {
  network ??= load().catch((error: unknown) => {
    network = undefined;
    throw error;
  });
  return network;
};

const load = async (): Promise<FindObjects> => {
  const file = fileURLToPath(MODEL);
  if ((await sha256OfFile(file)) !== SHA256) {
    throw new Error(`${file} is damaged: its checksum is not the one it was released with; install the product again`);
  }
  const onnx = await import("onnxruntime-node");
  onnx.env.logLevel = "error";
  const session = await onnx.InferenceSession.create(file, OPTIONS);
  return async (frame) => {
    const pixels = resizeToFloats(frame, { width: SIDE, height: SIDE });
    const { [OUTPUT]: output } = await session.run({ [INPUT]: new onnx.Tensor("float32", pixels, [1, SIDE, SIDE, 3]) });
    if (!(output?.data instanceof Float32Array)) throw new Error(`${file} has no output ${OUTPUT} of 32-bit floats`);
    return toObjects(output.data);
  };
};

const toObjects = (rows: Float32Array): RawObject[] => {
  const objects: RawObject[] = [];
  for (let at = 0; at + ROW <= rows.length; at += ROW) {
    const [x1, y1, x2, y2, score, kind] = rows.subarray(at, at + ROW) as unknown as [
      number,
      number,
      number,
      number,
      number,
      number,
    ];
    const label = OBJECT_LABELS[kind];
    if (label !== undefined && x2 > x1 && y2 > y1) objects.push({ label, score, box: toBox({ x1, y1, x2, y2 }) });
  }
  return objects;
};

const toBox = ({ x1, y1, x2, y2 }: { x1: number; y1: number; x2: number; y2: number }): Box => {
  const [left, top] = [within(x1), within(y1)];
  return { left, top, width: within(x2) - left, height: within(y2) - top };
};

const within = (pixels: number): number => Math.min(1, Math.max(0, pixels / SIDE));
