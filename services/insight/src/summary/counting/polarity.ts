const POSITIVE = [
  "acceptance",
  "acceptance_self",
  "calmness",
  "contentment",
  "eagerness",
  "joy",
  "pleasantness",
  "pleasantness_self",
  "responsiveness",
  "serenity",
];
const NEGATIVE = [
  "anger",
  "annoyance",
  "anxiety",
  "disgust",
  "disgust_self",
  "dislike",
  "dislike_self",
  "fear",
  "melancholy",
  "sadness",
];

/** The emotions of each of the four affective dimensions have a positive and a negative half. */
const POLARITY = new Map([
  ...POSITIVE.map((emotion) => [emotion, "positive"] as const),
  ...NEGATIVE.map((emotion) => [emotion, "negative"] as const),
]);

/** `positive` or `negative`; empty without an emotion. */
export function polarityOf(sentiment: string | null): string {
  return POLARITY.get(sentiment ?? "") ?? "";
}
