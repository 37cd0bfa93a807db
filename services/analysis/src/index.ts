export { showsEmotion } from "./analyzers/emotion-evidence.js";
export { analysisSettings, type AnalysisConfig } from "./config.js";
export { LateFileError, type MediaFacts, UnreadableFileError } from "./media/probe/facts.js";
export type { Transcript } from "./media/speech.js";
export { analyzeInline, type TextAnalysis } from "./pool/analyze-texts.js";
export { createMediaPool, type MediaPool, type MediaTask, type UnreadWriting } from "./pool/media-pool.js";
export { measureAnalyses, type ModelState, type ModelStates, watchAnalyzers, watchMedia } from "./pool/monitoring.js";
export { type AnalysisPool, createAnalysisPool, type PoolAnalyzeOptions, type TextAnalyst } from "./pool/text-pool.js";
export {
  type ClassifyingAnalysis,
  CLASSIFYING_ANALYSES,
  TEXTUAL_ANALYSES,
  type TextualAnalysis,
  VISUAL_ANALYSES,
  type VisualAnalysis,
} from "./registry/analyses.js";
export { utf16Offsets } from "./text/code-points.js";
export { createDocument } from "./text/document.js";
export { detectLanguage, isOneLanguage } from "./text/language/detector.js";
export type {
  Caption,
  Classification,
  Detection,
  Engine,
  EngineSettings,
  ExplainedSpan,
  Explanation,
  ModelRef,
  Moment,
  Personality,
  PlacedBox,
  Places,
  Topic,
} from "./types.js";
export { withoutPageFurniture } from "./vision/print-furniture.js";
