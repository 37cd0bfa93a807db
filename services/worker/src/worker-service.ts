import type { ALL_PARTS, Part } from "@hourglass/runtime";
import type { Analyses } from "./analyses.js";
import type { WorkerConfig } from "./config.js";

/** What the work of a service is built from. */
export interface WorkerProcess extends Part<(typeof ALL_PARTS)[number], WorkerConfig> {
  /** Starts the analyses when they are first asked for. */
  analyses: () => Analyses;
}

/** A service, as worker processes see it. */
export interface WorkerService {
  /** The roles that it exports. */
  readonly roles: readonly string[];
  /** Builds the service; what it returns starts those of its roles that the process does. */
  build(process: WorkerProcess): Promise<() => void>;
}
