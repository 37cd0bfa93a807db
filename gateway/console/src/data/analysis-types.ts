import type { components } from "@hourglass/client";

export type AnalysisType = components["schemas"]["AnalysisType"];

/** What a result looks like: one label of a list, things that were seen, or something that only this analysis has. */
type Form = "label" | "detections" | "own";

/** The analyses of texts, and of what is said or written in files. */
const OF_TEXTS = {
  "sentiment-simple": "label",
  "sentiment-real": "label",
  topic: "own",
  intention: "label",
  "spam-detection": "label",
  "personality-mb": "own",
} as const satisfies Partial<Record<AnalysisType, Form>>;

/** The analyses of pictures: all others, so that a new analysis does not compile until it stands in one of the two. */
const OF_PICTURES = {
  "object-id": "detections",
  "face-id": "detections",
  "logo-id": "detections",
  "activity-id": "detections",
  caption: "own",
} as const satisfies Record<Exclude<AnalysisType, keyof typeof OF_TEXTS>, Form>;

const FORMS = { ...OF_TEXTS, ...OF_PICTURES };

type OfForm<F extends Form> = { [T in AnalysisType]: (typeof FORMS)[T] extends F ? T : never }[AnalysisType];

/** The analyses whose result is one label of a list. */
export type LabelingAnalysis = OfForm<"label">;
/** The analyses that find things in pictures. */
export type DetectingAnalysis = OfForm<"detections">;

/** In the order in which they are offered. */
export const TEXT_ANALYSES = Object.keys(OF_TEXTS) as readonly (keyof typeof OF_TEXTS)[];
export const MEDIA_ANALYSES = Object.keys(OF_PICTURES) as readonly (keyof typeof OF_PICTURES)[];

/** The form of a result; undefined for an analysis that only a newer server has. */
export function formOf(type: string): Form | undefined {
  return Object.hasOwn(FORMS, type) ? FORMS[type as AnalysisType] : undefined;
}
