import type { Part } from "@hourglass/runtime";
import type { Analyses } from "./analyses.js";
import type { WorkerConfig } from "./config.js";

/** The parts of the storage that all roles use. */
export const WORKER_STORAGE = ["store", "blobs"] as const;

/** Dependencies for building the work of a service. */
export interface WorkerProcess extends Part<(typeof WORKER_STORAGE)[number], WorkerConfig> {
  /** Starts the analyses on the first call. */
  analyses: () => Promise<Analyses>;
}

/** Builds a service; the returned function starts those of its roles that the process has. */
export type BuildWork = (process: WorkerProcess) => Promise<() => void>;
