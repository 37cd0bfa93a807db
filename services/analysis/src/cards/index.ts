import { activityId } from "./activity-id.js";
import { caption } from "./caption.js";
import { faceId } from "./face-id.js";
import { intention } from "./intention.js";
import { language } from "./language.js";
import { logoId } from "./logo-id.js";
import { objectId } from "./object-id.js";
import { personalityMb } from "./personality-mb.js";
import { reading } from "./reading.js";
import { sentimentReal } from "./sentiment-real.js";
import { sentimentSimple } from "./sentiment-simple.js";
import { spamDetection } from "./spam-detection.js";
import { speech } from "./speech.js";
import { topic } from "./topic.js";
import type { TextualAnalysis, VisualAnalysis } from "../registry/analyses.js";
import type { ModelCard } from "./card.js";

export type { EngineCard, ModelCard, Score } from "./card.js";

/** What the analyses of files build on, and all texts. */
type Part = "language" | "speech" | "reading";

const CARDS = {
  "sentiment-simple": sentimentSimple,
  "sentiment-real": sentimentReal,
  topic,
  "spam-detection": spamDetection,
  "personality-mb": personalityMb,
  intention,
  "face-id": faceId,
  "object-id": objectId,
  "activity-id": activityId,
  "logo-id": logoId,
  caption,
  language,
  speech,
  reading,
} satisfies Readonly<Record<TextualAnalysis | VisualAnalysis | Part, ModelCard>>;

/** The cards of all analyses, in the order of the contract, and of what they build on. */
export const MODEL_CARDS: readonly ModelCard[] = Object.values(CARDS);
