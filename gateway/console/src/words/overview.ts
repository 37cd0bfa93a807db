import { chartWords } from "./en/charts.js";
import { coverageWords } from "./en/coverage.js";
import { overviewWords } from "./en/overview.js";
import { words as common } from "./words.js";

/** With the words of the overview, which are loaded with it: the first screen does not wait for them. */
export const words = { ...common, charts: chartWords, coverage: coverageWords, overview: overviewWords };
