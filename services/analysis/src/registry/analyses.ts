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
import type { TextualDescriptor, VisualDescriptor } from "../descriptor.js";
import type { LabelSet } from "../text/classification.js";
import type { Classification, Engine, EngineSettings } from "../types.js";

/** Every textual analysis, in the order of the contract: a line each. */
const textual = {
  "sentiment-simple": sentimentSimple,
  "sentiment-real": sentimentReal,
  topic,
  "spam-detection": spamDetection,
  "personality-mb": personalityMb,
  intention,
} satisfies Readonly<Record<string, TextualDescriptor>>;

/** Every visual analysis, in the order of the contract: a line each. */
const visual = {
  "face-id": faceId,
  "object-id": objectId,
  "activity-id": activityId,
  "logo-id": logoId,
  caption,
} satisfies Readonly<Record<string, VisualDescriptor>>;

/** The result of each analysis, from its descriptor. */
export type ResultsOf<Descriptors> = {
  [T in keyof Descriptors]: Descriptors[T] extends TextualDescriptor<string, infer Result>
    ? Result
    : Descriptors[T] extends VisualDescriptor<string, infer Result>
      ? Result
      : never;
};

/** The result of each textual analysis for one text. */
export type ResultOf = ResultsOf<typeof textual>;

/** The result of each visual analysis for one file. */
export type VisualResultOf = ResultsOf<typeof visual>;

/** Wire value of a textual analysis; also the name of its folder under `analyzers/`. */
export type TextualAnalysis = keyof ResultOf;

/** Wire value of a visual analysis; also the name of its folder under `analyzers/`. */
export type VisualAnalysis = keyof VisualResultOf;

/** The analyses with one label of a closed list as result. */
export type ClassifyingAnalysis = {
  [T in TextualAnalysis]: ResultOf[T] extends Classification ? T : never;
}[TextualAnalysis];

type Textual = { readonly [T in TextualAnalysis]: TextualDescriptor<T, ResultOf[T]> };
type Visual = { readonly [T in VisualAnalysis]: VisualDescriptor<T, VisualResultOf[T]> };

/** Every textual analysis, in the order of the contract. */
export const TEXTUAL: Textual = textual;

/** Every visual analysis, in the order of the contract. */
export const VISUAL: Visual = visual;

/** The analyses that a process knows. Everything that follows from the descriptors takes a registry. */
export interface Registry {
  readonly textual: Textual;
  readonly visual: Visual;
}

/** Every analysis of the product. */
export const ANALYSES: Registry = { textual: TEXTUAL, visual: VISUAL };

/** The labels of every analysis that has one label of a closed list as result. */
export const CLASSIFIERS = labelSetsOf(TEXTUAL);

/** Names of the textual analyses, in the order of the contract. */
export const TEXTUAL_ANALYSES = Object.keys(TEXTUAL) as readonly TextualAnalysis[];

/** Names of the visual analyses, in the order of the contract. */
export const VISUAL_ANALYSES = Object.keys(VISUAL) as readonly VisualAnalysis[];

/** Names of the analyses with one label of a closed list as result, in the order of the contract. */
export const CLASSIFYING_ANALYSES = Object.keys(CLASSIFIERS) as readonly ClassifyingAnalysis[];

/** The engine of every textual analysis by default. */
export const DEFAULT_ENGINES = defaultEnginesOf(TEXTUAL);

type LabelSets = { readonly [T in ClassifyingAnalysis]: LabelSet<T> };

function labelSetsOf(descriptors: Textual): LabelSets {
  const entries = Object.values<TextualDescriptor>({ ...descriptors }).flatMap(({ type, labels }) =>
    labels === undefined ? [] : [[type, labels]],
  );
  return Object.fromEntries(entries) as LabelSets;
}

function defaultEnginesOf(descriptors: Textual): Readonly<Record<TextualAnalysis, Engine>> {
  const entries = Object.values(descriptors).map(({ type, defaultEngine }) => [type, defaultEngine]);
  return Object.fromEntries(entries) as Record<TextualAnalysis, Engine>;
}

/** The settings, with default models filled in where none are configured. */
export function withDefaultModels(settings: EngineSettings, { textual, visual }: Registry): EngineSettings {
  const { media } = settings;
  return {
    ...settings,
    models: { ...defaultModelsOf(textual), ...settings.models },
    media: { ...media, models: { ...defaultModelsOf(visual), ...media?.models } },
  };
}

function defaultModelsOf(descriptors: Textual | Visual): Record<string, string> {
  const models: Record<string, string> = {};
  for (const { type, defaultModel } of Object.values<TextualDescriptor | VisualDescriptor>({ ...descriptors })) {
    if (defaultModel !== undefined) models[type] = defaultModel;
  }
  return models;
}

/** The engine chosen for an analysis. */
interface EngineChoice<A> {
  /** The analysis. */
  type: string;
  engine: string;
  /** Names of the engines that the analysis has. */
  engines: readonly string[];
  /** Undefined if the analysis does not have that engine. */
  load: (() => Promise<A>) | undefined;
}

/** Loads the analyzer of an engine. Rejects with a sentence for the operator. */
export const loadEngine = async <A>({ type, engine, engines, load }: EngineChoice<A>): Promise<A> => {
  if (load === undefined) {
    throw new Error(`there is no engine ${engine} for ${type}, only ${engines.join(" and ")}`);
  }
  try {
    return await load();
  } catch (error) {
    throw new Error(`the engine ${engine} cannot be loaded: ${reasonOf(error)}`, { cause: error });
  }
};

/** The message of a thrown value. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
