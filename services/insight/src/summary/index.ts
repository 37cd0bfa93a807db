export { countMarked } from "./counting/count-marked.js";
export { markSteps } from "../marks/marks.js";
export { createSummarize, type Summarize } from "./summarize.js";
