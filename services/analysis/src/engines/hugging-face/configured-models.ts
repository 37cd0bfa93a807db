import type { Logger } from "@hourglass/runtime";
import type { HubSettings } from "../../models/hub.js";
import { ModelError, type ModelId, parseModelId, spellModelId } from "../../models/model.js";
import { provideModel } from "../../models/provide.js";
import { inMegabytes, type PullOptions, type PullProgress } from "../../models/pull.js";
import type { EngineSettings } from "../../types.js";

/** Where models are stored and downloaded from. */
export interface ModelPlaces {
  modelsDir: string;
  offline: boolean;
  hub: HubSettings;
}

const HUB = "https://huggingface.co";

/** The model of an analysis; the registry fills in defaults. Throws ModelError if it is missing or malformed. */
export const modelOf = (type: string, { models }: EngineSettings): ModelId => parseConfigured(type, models?.[type]);

/** Throws ModelError if the id is missing or malformed. */
export function parseConfigured(type: string, id: string | undefined): ModelId {
  if (id === undefined) throw new ModelError("absent", `No model is configured for ${type}.`);
  return parseModelId(id);
}

/** Throws ModelError if no folder for models is configured. */
export function placesOf({ modelsDir, offline = false, hub = { endpoint: HUB } }: EngineSettings): ModelPlaces {
  if (modelsDir === undefined) throw new ModelError("absent", "No folder for models is configured: set MODELS_DIR.");
  return { modelsDir, offline, hub };
}

/** A required model. */
interface WantedModel {
  /** The component that requires it, for example an analysis. */
  type: string;
  model: ModelId;
  /** Selects the required files. */
  select: PullOptions["select"];
  /** Where they come from, if not from the hub. */
  source?: PullOptions["source"];
}

/** The log for the progress of downloads. */
export type ModelLog = Pick<Logger, "info" | "error">;

/**
 * Downloads one model and logs the progress. Resolves to instructions for the operator if the download failed, and to
 * undefined if the model is available.
 */
export async function ensureModel(
  { type, model, select, source }: WantedModel,
  { settings, log, signal }: { settings: EngineSettings; log?: ModelLog | undefined; signal?: AbortSignal | undefined },
): Promise<string | undefined> {
  const name = spellModelId(model);
  try {
    const onProgress = inSteps(({ received, total }) => {
      const bytes = {
        received: inMegabytes(received),
        ...(total === undefined ? {} : { total: inMegabytes(total) }),
      };
      log?.info({ analysis: type, model: name, ...bytes }, "model is being downloaded");
    });
    const { bytes } = await provideModel(model, { ...placesOf(settings), select, source, signal, onProgress });
    log?.info({ analysis: type, model: name, size: inMegabytes(bytes) }, "model is downloaded and checked");
    return undefined;
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof ModelError)) throw error;
    return error.message;
  }
}

const STEPS = 10;
const STEP_BYTES = 50_000_000;

/** Passes on the first report, then one for every tenth, or every 50 MB if the total is unknown. */
export function inSteps(report: (progress: PullProgress) => void): (progress: PullProgress) => void {
  let last = -1;
  return (progress) => {
    const { received, total } = progress;
    const step = Math.floor(total === undefined || total === 0 ? received / STEP_BYTES : (received / total) * STEPS);
    if (step <= last) return;
    last = step;
    report(progress);
  };
}
