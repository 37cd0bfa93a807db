import type { InferenceSession } from "onnxruntime-node";

/**
 * The arena never frees the memory of the longest utterance, so it is off. Waiting threads do not spin, which would
 * take twice the processor time for the same work.
 */
export const SPEECH_SESSION: InferenceSession.SessionOptions = {
  intraOpNumThreads: 2,
  interOpNumThreads: 1,
  executionMode: "sequential",
  enableCpuMemArena: false,
  enableMemPattern: false,
  logSeverityLevel: 4,
  extra: { session: { intra_op: { allow_spinning: "0" } } },
};
