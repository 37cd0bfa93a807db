export * from "./analyzer.js";
export { analyzeInline, type AnalysisTiming, type TextAnalysis } from "./pool/text/analyze-texts.js";
export { analysisSettings, type AnalysisConfig } from "./config.js";
export { utf16Offsets } from "./text/code-points.js";
export { createDocument } from "./text/document.js";
export { detectLanguage } from "./text/language/index.js";
export { isOneLanguage } from "./text/language/mixed.js";
export type { EngineSettings } from "./engine-settings.js";
export { contractLabels } from "./registry/contract-labels.js";
export {
  type ClassifyingAnalysis,
  CLASSIFYING_ANALYSES,
  DEFAULT_ENGINES,
  type ResultOf,
  TEXTUAL,
  TEXTUAL_ANALYSES,
  type TextualAnalysis,
  VISUAL,
  VISUAL_ANALYSES,
  type VisualAnalysis,
  type VisualResultOf,
} from "./registry/analyses.js";
export {
  type AnalysisPool,
  type AnalysisPoolOptions,
  createAnalysisPool,
  type PoolAnalyzeOptions,
  type TextAnalyst,
} from "./pool/text/analysis-pool.js";
export type { AnalyzerStatus } from "./registry/textual-registry.js";
export type { ModelStates } from "./model-states.js";
export { measureAnalyses } from "./pool/measure-analyses.js";
export { watchAnalyzers } from "./pool/text/watch-analyzers.js";
export * from "./visual.js";
export { type MediaFacts, type MediaFormat, UnacceptableFileError } from "./formats/media-facts.js";
export { LateFileError, UnreadableFileError } from "./decode/file-errors.js";
export type {
  MediaAnalyzerStatus,
  MediaCallOptions,
  MediaFindings,
  MediaPool,
  MediaTask,
  Reading,
} from "./pool/media/media-task.js";
export { createMediaPool, type MediaPoolOptions } from "./pool/media/media-pool.js";
export { watchMedia } from "./pool/media/watch-media.js";
