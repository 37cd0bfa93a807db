export { markDirtySteps } from "./dirty-buckets.js";
export { recountDirty } from "./rollup.js";
export { Summaries } from "./summarize.js";
