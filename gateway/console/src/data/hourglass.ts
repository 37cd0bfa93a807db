import type { components } from "@hourglass/client";

export type Emotion = components["schemas"]["RealSentiment"];

/** Strength and sign, in the order of the columns; the waist of the hourglass is in the middle. */
export const STRENGTHS = ["strong-negative", "mild-negative", "mild-positive", "strong-positive"] as const;
export type Strength = (typeof STRENGTHS)[number];

export type Dimension = "introspection" | "temper" | "others" | "oneself" | "sensitivity";

export interface EmotionRow {
  readonly dimension: Dimension;
  /** By strength, in the order of STRENGTHS. */
  readonly emotions: readonly [Emotion, Emotion, Emotion, Emotion];
}

/**
 * The dimensions of the Hourglass of Emotions (Susanto et al. 2020) at two strengths and two signs, attitude once towards
 * others and once towards oneself. Always in this order.
 */
export const HOURGLASS: readonly EmotionRow[] = [
  { dimension: "introspection", emotions: ["sadness", "melancholy", "contentment", "joy"] },
  { dimension: "temper", emotions: ["anger", "annoyance", "serenity", "calmness"] },
  { dimension: "others", emotions: ["disgust", "dislike", "acceptance", "pleasantness"] },
  { dimension: "oneself", emotions: ["disgust_self", "dislike_self", "acceptance_self", "pleasantness_self"] },
  { dimension: "sensitivity", emotions: ["fear", "anxiety", "responsiveness", "eagerness"] },
];

const STRENGTH_OF = new Map<string, Strength>(
  HOURGLASS.flatMap(({ emotions }) =>
    emotions.map((emotion, at) => [emotion, STRENGTHS[at] ?? "mild-positive"] as const),
  ),
);

/** The strength and sign of an emotion; undefined for one that this version does not know. */
export function strengthOf(emotion: string): Strength | undefined {
  return STRENGTH_OF.get(emotion);
}

/** Below this probability an emotion is shown as unsure: in brackets, and counted apart. */
export const UNSURE_BELOW = 0.4;
