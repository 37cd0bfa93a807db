export { createAnalyses, type Analyses } from "./analyses.js";
