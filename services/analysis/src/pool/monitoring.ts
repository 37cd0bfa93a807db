import type { Logger, Measurements } from "@hourglass/runtime";
import type { EngineSettings } from "../types.js";
import { TEXTUAL_ANALYSES, VISUAL_ANALYSES } from "../registry/analyses.js";
import type { MediaPool } from "./media-pool.js";
import type { MediaAnalyzerStatus } from "./media-status.js";
import type { AnalysisPool } from "./text-pool.js";

/**
 * Loads every model once in the background, downloads missing ones first, and publishes the result to `/readyz` and the
 * log. A missing model fails only its own analyses.
 */
export function watchAnalyzers(
  pool: Pick<AnalysisPool, "analyzers">,
  log: Logger,
  settings: EngineSettings = {},
): () => ModelStates {
  let states: ModelStates = { models: { state: "loading" } };
  const loading = downloadTextModels(settings, log).then(() => pool.analyzers());
  loading.then(
    (analyzers) => {
      const broken = analyzers.filter(({ ready }) => !ready);
      for (const { type, engine, error } of broken) {
        log.error({ analysis: type, engine, reason: error }, "analysis is not available");
      }
      states = statesOf("analysis", analyzers);
    },
    (error: unknown) => {
      log.error({ err: error }, "models could not be loaded");
      states = { models: { state: "missing" } };
    },
  );
  return () => states;
}

/** Downloads here, where the progress can be logged, and not in a thread that other texts wait for. */
async function downloadTextModels(settings: EngineSettings, log: Logger): Promise<void> {
  if (!Object.values(settings.engines ?? {}).includes("models")) return;
  const { ensureModels } = await import("../registry/model-administration.js");
  await ensureModels(settings, { types: TEXTUAL_ANALYSES, log });
}

/**
 * Checks in the background whether all prerequisites of file analyses are available, downloads the models that are
 * configured for the engine `models`, and publishes the result to `/readyz` and the log. A missing model fails only its
 * own analyses.
 */
export function watchMedia(
  pool: Pick<MediaPool, "analyzers">,
  log: Logger,
  settings: EngineSettings = {},
): () => ModelStates {
  let states: ModelStates = { media: { state: "loading" } };
  let problems = new Map<string, string>();
  let checkedAt: number | undefined;
  const check = async (): Promise<void> => {
    try {
      const analyzers = await pool.analyzers();
      states = statesOf("media", analyzers);
      problems = logChanges(log, problems, analyzers);
    } catch (error) {
      log.error({ err: error }, "the processes that analyze files cannot work");
      states = { media: { state: "missing" } };
    } finally {
      checkedAt = performance.now();
    }
  };
  void downloadVisualModels(settings, log).then(check);
  return () => {
    const isComplete = Object.values(states).every(({ state }) => state === "ready");
    if (!isComplete && checkedAt !== undefined && performance.now() - checkedAt > CHECK_AGAIN_MS) {
      checkedAt = undefined;
      void check();
    }
    return states;
  };
}

/** Missing models may be installed or downloaded while the server runs; reported states are at most this old. */
const CHECK_AGAIN_MS = 10_000;

/** Logs what has become missing, outdated or available, and returns the reasons of all problems. */
function logChanges(
  log: Logger,
  before: ReadonlyMap<string, string>,
  analyzers: readonly MediaAnalyzerStatus[],
): Map<string, string> {
  const now = new Map<string, string>();
  const available = analyzers.filter(({ ready }) => ready).map(({ type }) => type);
  for (const { type, engine, ready, error = "unknown", warning } of analyzers) {
    const reason = ready ? warning : error;
    if (reason !== undefined) now.set(type, reason);
    if (reason === before.get(type)) continue;
    if (!ready) log.warn({ missing: type, engine, reason, available }, "part of the analysis of files is missing");
    else if (reason !== undefined) log.warn({ program: type, reason }, "a program for files is out of date");
    else log.info({ analysis: type, engine }, "analysis of files has become available");
  }
  return now;
}

async function downloadVisualModels(settings: EngineSettings, log: Logger): Promise<void> {
  if (!Object.values(settings.media?.engines ?? {}).includes("models")) return;
  const { ensureModels } = await import("../registry/model-administration.js");
  try {
    // The speech model is downloaded with the first audio file: most servers never get any.
    await ensureModels(settings, { types: VISUAL_ANALYSES, log });
  } catch (error) {
    log.error({ err: error }, "models could not be downloaded");
  }
}

/**
 * State of each model by name: `ready`, `loading` or `missing`, with engine, id and version, and a warning or reason if
 * there is one.
 */
export type ModelStates = Record<string, ModelState>;

export interface ModelState {
  state: "ready" | "loading" | "missing";
  engine?: string;
  id?: string;
  version?: string;
  reason?: string;
  warning?: string;
}

interface DescribedAnalyzer {
  type: string;
  engine: string;
  model?: { id: string; version: string };
  ready: boolean;
  error?: string;
  warning?: string;
}

/** The entries of analyzers for `/readyz`, with the prefix before their names. */
export const statesOf = (prefix: string, analyzers: readonly DescribedAnalyzer[]): ModelStates =>
  Object.fromEntries(
    analyzers.map(({ type, engine, model, ready, error, warning }) => [
      `${prefix}:${type}`,
      ready
        ? { state: "ready", engine, ...model, ...(warning === undefined ? {} : { warning }) }
        : { state: "missing", engine, reason: error ?? "unknown" },
    ]),
  );

/** The time that one analysis took for one batch of texts, or for one file. */
interface TimedAnalysis {
  analysis: string;
  engine: string;
  seconds: number;
}

/** Declares the duration of analyses, and returns the function that records one. */
export const measureAnalyses = (metrics: Measurements): ((timing: TimedAnalysis) => void) => {
  const observe = metrics.duration(
    "hourglass_analysis_duration_seconds",
    "Time a thread spent on one analysis for one batch of at most 32 texts",
    ["analysis", "engine"],
    "work",
  );
  return ({ seconds, analysis, engine }) => observe({ analysis, engine }, seconds);
};
