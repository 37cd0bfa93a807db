export * from "./analyzer.js";
export { analyzeInline, type TextAnalysis } from "./analyze-texts.js";
export { createDocument } from "./document.js";
export { DEFAULT_ENGINES, type EngineSettings } from "./engines.js";
export { type AnalysisPool, type AnalysisPoolOptions, createAnalysisPool } from "./pool.js";
export type { AnalyzerStatus } from "./registry.js";
export type { ModelStates } from "./model-states.js";
export { watchAnalyzers } from "./watch-analyzers.js";
export * from "./visual.js";
export { type MediaFacts, type MediaFormat, UnacceptableFileError } from "./formats/media-facts.js";
export {
  LateFileError,
  type MediaAnalyzerStatus,
  type MediaCallOptions,
  type MediaFindings,
  type MediaPool,
  type MediaTask,
  type Reading,
  UnreadableFileError,
} from "./media/media-task.js";
export { createMediaPool, type MediaPoolOptions } from "./media/media-pool.js";
export { watchMedia } from "./media/watch-media.js";
