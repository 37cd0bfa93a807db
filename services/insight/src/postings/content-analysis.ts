import {
  type Classification,
  detectLanguage,
  isOneLanguage,
  showsEmotion,
  type TextAnalysis,
  type TextAnalyst,
  type Topic,
  type VisualAnalysis,
} from "@hourglass/analysis";
import { type FileAnalyst, type FileFindings, UnusableFileError } from "@hourglass/analysis/files";
import { fold } from "@hourglass/runtime/text";
import type { DimensionName, InsightRecord, OwnNotes, PostingRecord, PostingWork } from "../store/records.js";
import { analyzedBy, TEXT_ANALYSES } from "./analyzed-by.js";
import { firstCharacters } from "./merge.js";
import { present } from "./posting-message.js";

/** A posting to analyze. */
export interface Subject {
  work: PostingWork;
  posting: PostingRecord;
  insight: InsightRecord;
}

/** What was found out about a posting. */
export interface PostingResults {
  /** The emotion, if the words give evidence of one. */
  sentiment: string | null;
  intention: string | null;
  topics: string[];
  labels: string[];
  moreInfo: OwnNotes;
  /** Why analyses failed, by their names or the URLs of their media. */
  errors: Record<string, string>;
  /** Why media, or a part of their results, are missing, by their URLs. Another attempt is of no use. */
  unusable: Record<string, string>;
  /** What the words were analyzed by. */
  by?: string | undefined;
}

/** The results of a posting of which nothing is asked. */
export function noResults(): PostingResults {
  return { sentiment: null, intention: null, topics: [], labels: [], moreInfo: {}, errors: {}, unusable: {} };
}

/** Analyzed characters of a text, in code points. */
export const CHARACTERS_MAX = 20_000;

/** The words of a posting, and where their results go. */
export interface Words {
  companyId: number;
  text: string;
  into: PostingResults;
}

/** Who analyzes the contents of postings. */
export interface ContentAnalysts {
  texts: TextAnalyst;
  /** Fetches media under the rules for URLs of users. */
  files: FileAnalyst;
  onTimed: (timing: { analysis: string; engine: string; seconds: number }) => void;
}

/** Analyses the words of postings in the background; blank ones have no results. Rejects if the signal aborts. */
export async function analyzeWords(
  analysts: ContentAnalysts,
  words: readonly Words[],
  signal: AbortSignal,
): Promise<void> {
  const owners = new Map<number, Words[]>();
  for (const each of words) {
    if (each.text.trim() === "") continue;
    const same = owners.get(each.companyId);
    if (same === undefined) owners.set(each.companyId, [each]);
    else same.push(each);
  }
  await Promise.all([...owners].map(([owner, same]) => analyzeOf(analysts, { owner, words: same, signal })));
}

async function analyzeOf(
  { texts, onTimed }: ContentAnalysts,
  { owner, words, signal }: { owner: number; words: readonly Words[]; signal: AbortSignal },
): Promise<void> {
  const analyzed = words.map(({ text }) => firstCharacters(text, CHARACTERS_MAX));
  const outcomes = await texts.analyze(analyzed, TEXT_ANALYSES, { owner, background: true, signal, onTimed });
  words.forEach(({ text, into }, index) => {
    const [read, outcome] = [analyzed[index], outcomes[index]];
    if (read === undefined || outcome === undefined) throw new Error("the pool answered too few outcomes");
    fill(into, outcome, read);
    into.by = analyzedBy(outcome);
    if (read !== text) into.moreInfo.text_analysed_to = CHARACTERS_MAX;
  });
}

function fill(into: PostingResults, { results, errors }: TextAnalysis, text: string): void {
  const { intention, topic = [], "sentiment-simple": sentiment, "sentiment-real": emotion } = results;
  into.sentiment = showsEmotion({ sentiment, emotion }) ? (emotion?.value ?? null) : null;
  into.intention = intention?.value ?? null;
  into.topics = topicsOfPosting(topic, text);
  Object.assign(
    into.moreInfo,
    present({
      spam: labelOf(results["spam-detection"]),
      sentiment_simple: labelOf(sentiment),
      emotion: labelOf(emotion),
      intention_prob: intention?.prob,
    }),
  );
  Object.assign(into.errors, errors);
}

function labelOf(result: Classification | undefined): { value: string; prob: number } | undefined {
  return result && { value: result.value, prob: result.prob };
}

const TOPICS_MAX = 8;
/** URLs, tags and mentions: topics that occur nowhere else are none. */
const NO_TOPIC = /\b(?:https?:\/\/|www\.)\S+|(?<![\p{L}\p{N}])[#＃@＠][\p{L}\p{M}\p{N}_.-]+/giu;
const WORD_CHARACTER = /[\p{L}\p{M}\p{N}]/u;

/**
 * The topics of a posting: entities before noun chunks, then those mentioned more often, then earlier ones; each once
 * whatever its case, at most eight.
 */
export function topicsOfPosting(topics: readonly Topic[], text: string): string[] {
  const [all, prose] = [text, text.replace(NO_TOPIC, " ")].map(normal);
  const found = new Map<string, RatedTopic>();
  for (const { value, topic_type: type } of topics) {
    const key = normal(value);
    const places = placesOf(key, prose ?? "");
    const isNoProse = places.count === 0 && (all ?? "").includes(key);
    if (key === "" || isNoProse || NO_TOPIC_ALONE.test(value)) continue;
    const rank = type === "entity" ? 0 : 1;
    const earlier = found.get(key);
    if (earlier === undefined || rank < earlier.rank) found.set(key, { value, rank, ...places });
  }
  return [...found.values()]
    .sort(byRelevance)
    .slice(0, TOPICS_MAX)
    .map(({ value }) => value);
}

const NO_TOPIC_ALONE = /^(?:[#＃@＠]|https?:\/\/|www\.)/iu;

interface RatedTopic {
  value: string;
  rank: number;
  /** Mentions in the text, and the place of the first one. */
  count: number;
  first: number;
}

function byRelevance(one: RatedTopic, other: RatedTopic): number {
  return one.rank - other.rank || other.count - one.count || one.first - other.first;
}

function normal(text: string): string {
  return fold(text).replace(/\s+/gu, " ").trim();
}

/** Mentions as whole words. */
function placesOf(word: string, text: string): { count: number; first: number } {
  let count = 0;
  let first = Infinity;
  if (word === "") return { count, first };
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length)) {
    if (WORD_CHARACTER.test(text.charAt(at - 1)) || WORD_CHARACTER.test(text.charAt(at + word.length))) continue;
    count += 1;
    first = Math.min(first, at);
  }
  return { count, first };
}

const MEDIA_ANALYSES = ["face-id", "object-id", "activity-id", "logo-id"] as const satisfies VisualAnalysis[];
/** Platforms whose rules forbid the recognition of faces in what they publish. */
const FACELESS = ["twitter"];

/** The dimensions that are analyzed. What was seen in media is not looked at again. */
function dimensionsOf({ work, insight }: Subject): readonly DimensionName[] {
  const { dimensions } = insight.query;
  return work.again === true ? dimensions.filter((dimension) => dimension !== "visual") : dimensions;
}

/** Whether media of a posting are to be analyzed. */
export function hasMedia(subject: Subject): boolean {
  const asked = dimensionsOf(subject);
  return (asked.includes("audial") || asked.includes("visual")) && hasAny(subject.posting.content.media);
}

/** Whether words of a posting, written or spoken, may be there to be analyzed. */
export function hasWords({ content }: PostingRecord, { query: { dimensions } }: InsightRecord): boolean {
  const isWritten = dimensions.includes("textual") && (content.text ?? "").trim() !== "";
  return isWritten || (dimensions.includes("audial") && hasAny(content.media));
}

function hasAny(list: readonly unknown[] | undefined): boolean {
  return list !== undefined && list.length > 0;
}

/**
 * Analyses the media of a posting and returns the words spoken in them. One that cannot be read is noted and
 * leaves the others as they are.
 */
export async function analyzeMedia(
  analysts: ContentAnalysts,
  subject: Subject,
  { into, signal }: { into: PostingResults; signal: AbortSignal },
): Promise<string> {
  const { posting } = subject;
  const dimensions = dimensionsOf(subject);
  const labels = new Set<string>();
  const spoken: string[] = [];
  const request = {
    companyId: posting.companyId,
    analyses: dimensions.includes("visual") ? analysesFor(posting.platform) : [],
    words: dimensions.includes("audial"),
    signal,
    onTimed: ({ analysis, seconds }: { analysis: string; seconds: number }) =>
      analysts.onTimed({ analysis, engine: "media", seconds }),
  };
  const analyzed = (posting.content.media ?? []).map(async (url) => {
    try {
      return await analysts.files.analyze({ kind: "url", value: url }, request);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof UnusableFileError) into.unusable[url] = error.message;
      else into.errors[url] = "It could not be analyzed on our side.";
      return undefined;
    }
  });
  for (const [index, findings] of (await Promise.all(analyzed)).entries()) {
    if (findings === undefined) continue;
    labelsOf(findings).forEach((label) => labels.add(label));
    if (request.words) spoken.push(findings.transcript?.text.trim() ?? "");
    noteMissing(into, posting.content.media?.[index] ?? "", findings);
  }
  into.labels = [...labels];
  return spoken.filter((text) => text !== "").join("\n");
}

function analysesFor(platform: string): VisualAnalysis[] {
  return MEDIA_ANALYSES.filter((analysis) => analysis !== "face-id" || !FACELESS.includes(platform));
}

function labelsOf({ results }: FileFindings): string[] {
  return MEDIA_ANALYSES.flatMap((analysis) => results[analysis] ?? []).map(({ value }) => value);
}

/**
 * Names a part that was not found out, for example for lack of the speech model. The analyst would have rejected if
 * another attempt could help. Reading print is asked for together with speech, and of no use here.
 */
function noteMissing(into: PostingResults, url: string, { errors }: FileFindings): void {
  const [first] = Object.entries(errors).filter(([name]) => name !== "reading");
  if (first !== undefined) into.unusable[url] = `${first[0]}: ${first[1]}`;
}

/** Fewer letters say too little. */
const LETTERS_MIN = 20;
const LETTER = /\p{L}/gu;

/** The language that the platform states, else the detected one; null if the text says too little, or is in several. */
export function languageOf({ language, content: { text = "" } }: PostingRecord): string | null {
  if (language !== null) return language;
  if ((text.slice(0, 10_000).match(LETTER)?.length ?? 0) < LETTERS_MIN) return null;
  const { code } = detectLanguage(text);
  return isOneLanguage(code) ? code : null;
}
