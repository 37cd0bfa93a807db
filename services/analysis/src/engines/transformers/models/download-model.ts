import type { Logger } from "@hourglass/runtime";
import type { EngineSettings } from "../../../engine-settings.js";
import {
  inMegabytes,
  ModelError,
  type ModelId,
  provideModel,
  type PullOptions,
  type PullProgress,
  spellModelId,
} from "../../../model-hub/index.js";
import { placesOf } from "./configured-models.js";

/** A model that something needs. */
export interface WantedModel {
  /** What needs it, such as an analysis. */
  type: string;
  model: ModelId;
  /** Chooses the files that are needed of it. */
  select: PullOptions["select"];
}

/** Where is said how far a download is. */
export type ModelLog = Pick<Logger, "info" | "error">;

/**
 * Downloads one model, and says in the log how far it is. Resolves with what to do when it could not
 * be had, and with undefined when it is there.
 */
export async function ensureModel(
  { type, model, select }: WantedModel,
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
    const { bytes } = await provideModel(model, { ...placesOf(settings), select, signal, onProgress });
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

/** Passes on the first report, then one for every tenth, or every 50 MB where the whole is not known. */
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
