import { repeats } from "@hourglass/runtime/testing";
import fc from "fast-check";

/** The number of runs of a property that gives none; others give `repeats(…)` of theirs. */
fc.configureGlobal({ numRuns: repeats(100) });
