import type { Variables } from "@hourglass/runtime";
import { MODULES } from "./index.js";

/** The variables of all platforms by name. */
export const PLATFORM_VARIABLES: Variables = Object.fromEntries(
  MODULES.flatMap(({ variables }) => Object.entries(variables)),
);
