import { inventPerson, type Person } from "../invented/person.js";
import { oneOf } from "../invented/random.js";
import { ADVERTS, CLOSINGS, ENGLISH, OPENINGS } from "./english.js";
import { OTHER_LANGUAGES } from "./other-languages.js";
import type { Moment } from "./story.js";
import { type Mood, type Subject, SUBJECTS } from "./subject.js";

/** The nine platforms of the stream, and how many of a hundred postings each has. */
const SHARES = {
  twitter: 20,
  reddit: 13,
  news: 9,
  "youtube-comments": 13,
  "youtube-videos": 7,
  tiktok: 11,
  facebook: 12,
  instagram: 9,
  linkedin: 6,
} as const;

export type DemoPlatform = keyof typeof SHARES;

export const DEMO_PLATFORMS = Object.keys(SHARES) as DemoPlatform[];

/** A posting of the invented stream, before a fake gives it the form of its platform. */
export interface StreamPosting {
  readonly platform: DemoPlatform;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly subject: Subject;
  /** An ISO 639-1 code. */
  readonly language: string;
  /** Says that it is for a demonstration. */
  readonly text: string;
  readonly tags: readonly string[];
  readonly author: Person;
  readonly likes: number;
}

/** Invents what somebody says on some platform, or on the given one, at a moment of the story. */
export function inventPosting(moment: Moment, random: () => number, platform?: DemoPlatform): StreamPosting {
  const subject = SUBJECTS.find(({ key }) => key === moment.subject) ?? oneOf(SUBJECTS, random);
  const mood = drawn(moment.moods, random);
  const language = languageOf(mood, random);
  const tags = [subject.key, "demo"];
  const said = language === "en" ? english(subject, mood, random) : other(language, mood, random);
  return {
    platform: platform ?? drawn(SHARES, random),
    at: moment.at,
    subject,
    language,
    text: `${said.replaceAll("{name}", subject.name)} ${tags.map((tag) => `#${tag}`).join(" ")}`,
    tags,
    author: inventPerson(random),
    likes: Math.floor(random() ** 4 * 400),
  };
}

function english({ key }: Subject, mood: Mood, random: () => number): string {
  if (mood === "advert") return oneOf(ADVERTS, random);
  const text = `${oneOf(OPENINGS, random)} ${oneOf(ENGLISH[key][mood], random)}`;
  const sentence = /[.?!]$/.test(text) ? text : `${text}.`;
  return `${sentence} ${oneOf(CLOSINGS, random)}`.trimEnd();
}

type OtherLanguage = keyof typeof OTHER_LANGUAGES;

function other(language: OtherLanguage, mood: Mood, random: () => number): string {
  const text = oneOf(OTHER_LANGUAGES[language][mood === "advert" ? "doubt" : mood], random);
  return /[.?!]$/.test(text) ? text : `${text}.`;
}

function languageOf(mood: Mood, random: () => number): "en" | OtherLanguage {
  if (mood === "advert" || random() < 0.85) return "en";
  return oneOf(["de", "de", "es", "fr"] as const, random);
}

/** One of the names, each as often as its weight says. */
function drawn<K extends string>(weights: Readonly<Record<K, number>>, random: () => number): K {
  const entries = Object.entries<number>(weights) as [K, number][];
  let left = random() * entries.reduce((sum, [, weight]) => sum + weight, 0);
  const found = entries.find(([, weight]) => (left -= weight) < 0) ?? entries[0];
  if (found === undefined) throw new RangeError("There is nothing to draw from.");
  return found[0];
}
