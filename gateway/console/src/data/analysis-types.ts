/** The analyses of texts, and of what is said or written in files. */
export const TEXT_ANALYSES = [
  "sentiment-simple",
  "sentiment-real",
  "topic",
  "intention",
  "spam-detection",
  "personality-mb",
] as const;
/** The analyses of pictures. */
export const MEDIA_ANALYSES = ["object-id", "face-id", "logo-id", "activity-id", "caption"] as const;
