import type { AnalysisType } from "../../data/analysis-types.js";
import type { Dimension, Strength } from "../../data/hourglass.js";

/** With soft hyphens, where a narrow cell may break them. */
const EMOTIONS: Readonly<Record<string, string>> = {
  sadness: "sad\u00adness",
  melancholy: "melan\u00adcholy",
  contentment: "content\u00adment",
  joy: "joy",
  anger: "anger",
  annoyance: "annoy\u00adance",
  serenity: "seren\u00adity",
  calmness: "calm\u00adness",
  disgust: "disgust",
  dislike: "dislike",
  acceptance: "accept\u00adance",
  pleasantness: "pleasant\u00adness",
  disgust_self: "self-disgust",
  dislike_self: "self-dislike",
  acceptance_self: "self-accept\u00adance",
  pleasantness_self: "self-pleasant\u00adness",
  fear: "fear",
  anxiety: "anxi\u00adety",
  responsiveness: "respon\u00adsiveness",
  eagerness: "eager\u00adness",
};

const POLARITIES: Readonly<Record<string, string>> = {
  positive: "positive",
  neutral: "neutral",
  negative: "negative",
  none: "not judged",
};

const INTENTIONS: Readonly<Record<string, string>> = {
  assertion: "assertion",
  valuation: "valuation",
  palinode: "change of mind",
  contrition: "apology",
  forecast: "forecast",
  wish: "wish",
  proposal: "proposal",
  inducement: "call to act",
  none: "no intention",
};

/** The analyses, and what those of files build on. */
const ANALYSES: Readonly<Record<string, string>> = {
  "sentiment-simple": "Sentiment",
  "sentiment-real": "Emotions",
  topic: "Topics",
  "spam-detection": "Spam",
  "personality-mb": "Personality",
  intention: "Intention",
  "face-id": "Faces",
  "object-id": "Objects",
  "activity-id": "Activities",
  "logo-id": "Logos",
  caption: "Caption",
  language: "Language",
  speech: "Speech to text",
  reading: "Words in pictures",
  ffmpeg: "Sound and video",
} satisfies Record<AnalysisType | "language" | "speech" | "reading" | "ffmpeg", string>;

const PLATFORMS: Readonly<Record<string, string>> = {
  twitter: "X (Twitter)",
  reddit: "Reddit",
  news: "News",
  "youtube-videos": "YouTube videos",
  "youtube-comments": "YouTube comments",
  facebook: "Facebook",
  instagram: "Instagram",
  linkedin: "LinkedIn",
  tiktok: "TikTok",
  bluesky: "Bluesky",
  mastodon: "Mastodon",
};

const STATES: Readonly<Record<string, string>> = {
  running: "running",
  paused: "paused",
  completed: "completed",
  failed: "failed",
  ready: "waiting",
  pending: "waiting",
  invalid: "refused",
  done: "done",
};

const LANGUAGE_NAMES = new Intl.DisplayNames("en", { type: "language", fallback: "code" });
const COUNTRY_NAMES = new Intl.DisplayNames("en", { type: "region", fallback: "code" });

/** Values of the interface as people say them. One that this version does not know is shown as it is. */
export const labels = {
  emotion: (value: string) => EMOTIONS[value] ?? value,
  polarity: (value: string) => POLARITIES[value] ?? value,
  /** A form for those who do not see colors. */
  polaritySign: (value: string) => ({ positive: "▲", negative: "▼", neutral: "●" })[value] ?? "○",
  intention: (value: string) => INTENTIONS[value] ?? value,
  analysis: (value: string) => ANALYSES[value] ?? value,
  platform: (value: string) => PLATFORMS[value] ?? value,
  state: (value: string) => STATES[value] ?? value,
  // The standard calls what is not known "root", which nobody understands.
  language: (code: string) => (code === "und" ? "not recognized" : named(LANGUAGE_NAMES, code)),
  country: (code: string) => named(COUNTRY_NAMES, code),
  dimensions: {
    introspection: "Intro\u00adspection",
    temper: "Temper",
    others: "Attitude to others",
    oneself: "Attitude to oneself",
    sensitivity: "Sensi\u00adtivity",
  } satisfies Record<Dimension, string>,
  strengths: {
    "strong-negative": "strong −",
    "mild-negative": "mild −",
    "mild-positive": "mild +",
    "strong-positive": "strong +",
  } satisfies Record<Strength, string>,
  unsure: (value: string) => `(${value})`,
  unsureHelp: "The model is not sure of this label.",
  /** Why a result is doubtful; a later release may give a reason that is not known here. */
  notSupported: (reason = "") => UNSUPPORTED_REASONS[reason] ?? "Expect little of this result.",
};

const UNSUPPORTED_REASONS: Readonly<Record<string, string>> = {
  language: "The model was not made for this language.",
  undetermined: "The text is too short, or its language unclear: expect little of this result.",
  several_languages: "The text is in several languages: expect little of this result.",
  no_spaces: "The text lacks spaces between its words: expect little of this result.",
  little_evidence: "The text says too little for this analysis.",
};

function named(names: Intl.DisplayNames, code: string): string {
  try {
    return names.of(code) ?? code;
  } catch {
    return code; // not a code at all
  }
}
