import { env } from "node:process";

/**
 * Disables telemetry: from 1.30 on, ONNX Runtime for Linux reports usage to its vendor, and writes files to the
 * temporary folder and the user's folder, neither of which is acceptable on a self-hosted server. Call this in the main
 * thread before the runtime is loaded: worker threads change a copy of the environment that the runtime does not see.
 */
export function forbidTelemetry(): void {
  env["ORT_DISABLE_TELEMETRY"] = "1";
}

/** Loads ONNX Runtime; throws if it is not installed. */
export async function loadOnnxRuntime() {
  forbidTelemetry();
  return await import("onnxruntime-node");
}
