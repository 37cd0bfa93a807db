import { env } from "node:process";

/**
 * From 1.30 on, ONNX Runtime for Linux reports what it runs to its maker, and leaves files in the folders for temporary files
 * and of the user. A server that a company hosts itself does neither. To be called in the main thread before the runtime is loaded:
 * worker threads change a copy of the environment, which the runtime does not see.
 */
export function forbidTelemetry(): void {
  env["ORT_DISABLE_TELEMETRY"] = "1";
}

/** Loads ONNX Runtime; throws when it is not installed. */
export async function loadOnnxRuntime() {
  forbidTelemetry();
  return await import("onnxruntime-node");
}
