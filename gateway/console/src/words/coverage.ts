import { coverageWords } from "./en/coverage.js";
import { words as common } from "./words.js";

/** With the words about what was collected, which are loaded with it: the first screen does not wait for them. */
export const words = { ...common, coverage: coverageWords };
