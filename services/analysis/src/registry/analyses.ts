import { activityId } from "../analyzers/activity-id/analysis.js";
import { caption } from "../analyzers/caption/analysis.js";
import { faceId } from "../analyzers/face-id/analysis.js";
import { intention } from "../analyzers/intention/analysis.js";
import { logoId } from "../analyzers/logo-id/analysis.js";
import { objectId } from "../analyzers/object-id/analysis.js";
import { personalityMb } from "../analyzers/personality-mb/analysis.js";
import { sentimentReal } from "../analyzers/sentiment-real/analysis.js";
import { sentimentSimple } from "../analyzers/sentiment-simple/analysis.js";
import { spamDetection } from "../analyzers/spam-detection/analysis.js";
import { topic } from "../analyzers/topic/analysis.js";
import type { Engine, TextualAnalysis } from "../analyzer.js";
import type { TextualDescriptor, VisualDescriptor } from "../descriptor.js";
import type { EngineSettings } from "../engine-settings.js";
import type { VisualAnalysis } from "../visual.js";

type Textual = { readonly [T in TextualAnalysis]: TextualDescriptor<T> };
type Visual = { readonly [T in VisualAnalysis]: VisualDescriptor<T> };

/** Every textual analysis, in the order of the contract. */
export const TEXTUAL: Textual = {
  "sentiment-simple": sentimentSimple,
  "sentiment-real": sentimentReal,
  topic,
  "spam-detection": spamDetection,
  "personality-mb": personalityMb,
  intention,
};

/** Every visual analysis, in the order of the contract. */
export const VISUAL: Visual = {
  "face-id": faceId,
  "object-id": objectId,
  "activity-id": activityId,
  "logo-id": logoId,
  caption,
};

/** Names of the textual analyses, in the order of the contract. */
export const TEXTUAL_ANALYSES = Object.keys(TEXTUAL) as readonly TextualAnalysis[];

/** Names of the visual analyses, in the order of the contract. */
export const VISUAL_ANALYSES = Object.keys(VISUAL) as readonly VisualAnalysis[];

/** The engine of every textual analysis by default. */
export const DEFAULT_ENGINES = defaultEnginesOf(TEXTUAL);

function defaultEnginesOf(descriptors: Textual): Readonly<Record<TextualAnalysis, Engine>> {
  const entries = Object.values(descriptors).map(({ type, defaultEngine }) => [type, defaultEngine]);
  return Object.fromEntries(entries) as Record<TextualAnalysis, Engine>;
}

/** The settings, with default models filled in where none are configured. */
export function withDefaultModels(settings: EngineSettings): EngineSettings {
  const { media } = settings;
  return {
    ...settings,
    models: { ...defaultModelsOf(TEXTUAL), ...settings.models },
    media: { ...media, models: { ...defaultModelsOf(VISUAL), ...media?.models } },
  };
}

function defaultModelsOf(descriptors: Textual | Visual): Record<string, string> {
  const models: Record<string, string> = {};
  for (const { type, defaultModel } of Object.values<TextualDescriptor | VisualDescriptor>({ ...descriptors })) {
    if (defaultModel !== undefined) models[type] = defaultModel;
  }
  return models;
}
