import type { Lifecycle, Logger } from "@hourglass/runtime";
import type { AdminConfig } from "../config.js";

/** What opening a resource takes; the lifecycle closes what it opened. */
export interface Opening {
  readonly config: AdminConfig;
  readonly log: Logger;
  readonly lifecycle: Lifecycle;
}
