const POSITIVE =
  "acceptance acceptance_self calmness contentment eagerness joy pleasantness pleasantness_self responsiveness serenity";
const NEGATIVE = "anger annoyance anxiety disgust disgust_self dislike dislike_self fear melancholy sadness";

const SENTIMENTS: ReadonlyMap<string, "positive" | "negative"> = new Map([
  ...POSITIVE.split(" ").map((emotion) => [emotion, "positive"] as const),
  ...NEGATIVE.split(" ").map((emotion) => [emotion, "negative"] as const),
]);

/**
 * The sentiment of an emotion of sentiment-real, by the side of its dimension in the Hourglass of Emotions; undefined if
 * there is no such emotion.
 */
export const sentimentOf = (emotion: string): "positive" | "negative" | undefined => SENTIMENTS.get(emotion);
