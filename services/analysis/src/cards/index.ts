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
import type { ModelCard } from "./card.js";

export type { EngineCard, ModelCard, Score } from "./card.js";

/** The cards of all analyses, in the order of the contract, and of what they build on. */
export const MODEL_CARDS: readonly ModelCard[] = [
  sentimentSimple,
  sentimentReal,
  topic,
  spamDetection,
  personalityMb,
  intention,
  faceId,
  objectId,
  activityId,
  logoId,
  caption,
  language,
  speech,
  reading,
];
