import type { ALL_PARTS, Part } from "@hourglass/runtime";
import type { Analyses } from "./analyses.js";
import type { WorkerConfig } from "./config.js";

/** Dependencies for building the work of a service. */
export interface WorkerProcess extends Part<(typeof ALL_PARTS)[number], WorkerConfig> {
  /** Starts the analyses on the first call. */
  analyses: () => Analyses;
}

/** A service, as worker processes see it. */
export interface WorkerService {
  /** The roles that it exports. */
  readonly roles: readonly string[];
  /** Builds the service; the returned function starts those of its roles that the process has. */
  build(process: WorkerProcess): Promise<() => void>;
}
