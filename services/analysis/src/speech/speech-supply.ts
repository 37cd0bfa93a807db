import type { EngineSettings } from "../engine-settings.js";
import { ensureModel, type ModelLog } from "../engines/transformers/models/download-model.js";
import { isSpeechModelHere, selectSpeechModelFiles, speechModel } from "./model-files.js";

/** Ensures that the speech model is available before sound is passed to a process with a time limit. */
export interface SpeechSupply {
  /**
   * The reason why no model is available, and what to do; undefined if there is one. Downloads a missing model, which
   * may take minutes, unless that is forbidden. Rejects with the signal's reason.
   */
  lacking(signal?: AbortSignal): Promise<string | undefined>;
  /** Cancels a download in progress; the received part is kept for the next attempt. */
  close(): void;
}

/** Starts without checking: most servers never get sound. Concurrent calls share one download. */
export function createSpeechSupply(settings: EngineSettings, log?: ModelLog): SpeechSupply {
  const ending = new AbortController();
  let looking: Promise<string | undefined> | undefined;
  let isHere = false;
  const look = async (): Promise<string | undefined> => {
    try {
      const reason = await fetchModel(settings, { log, signal: ending.signal });
      isHere = reason === undefined;
      return reason;
    } finally {
      looking = undefined;
    }
  };
  return {
    async lacking(signal) {
      if (isHere) return undefined;
      looking ??= look();
      return await unlessAborted(looking, signal);
    },
    close: () => ending.abort(new Error("the download was ended, since the server stops")),
  };
}

async function fetchModel(
  settings: EngineSettings,
  { log, signal }: { log: ModelLog | undefined; signal: AbortSignal },
): Promise<string | undefined> {
  try {
    if (await isSpeechModelHere(settings)) return undefined;
    const wanted = { type: "speech", model: speechModel(settings), select: selectSpeechModelFiles } as const;
    return await ensureModel(wanted, { settings, log, signal });
  } catch (error) {
    // A malformed name, or no folder for models.
    return error instanceof Error ? error.message : String(error);
  }
}

/** Waits for shared work, but rejects when the signal aborts. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return await work;
  signal.throwIfAborted();
  const waiting = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    const end = () => reject(signal.reason as Error);
    signal.addEventListener("abort", end, { once: true, signal: waiting.signal });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    waiting.abort();
  }
}
