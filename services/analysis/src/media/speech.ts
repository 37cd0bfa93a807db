import type { EngineSettings } from "../types.js";
import { ModelError, pullCommand, spellModelId } from "../models/model.js";
import { findUtterances, readSamples, SAMPLE_RATE } from "./audio.js";
import type { MediaFacts } from "./probe/facts.js";
import { certaintyOf, type Hypothesis, isRepetitive } from "./speech-hypotheses.js";
import { findLanguagesModel } from "./speech-languages-model.js";
import { hasSpeechModel, provideSpeechModel, speechModel } from "./speech-model.js";
import { loadMoonshine, type MoonshineListener } from "./speech-moonshine.js";
import type { TokenDecoder } from "./speech-tokens.js";
import { type LanguageGuess, loadWhisper, type WhisperListener } from "./speech-whisper.js";

/** The speech in a recording; empty if nobody speaks, or if nothing is understood. */
export interface Transcript {
  text: string;
  segments: SpokenSegment[];
  /** ISO 639-1: in which most is said; absent if nothing is understood. */
  language?: string;
  /** Whether transcripts in that language were measured. */
  supported?: boolean;
  /** Duration in seconds, to a tenth, of speech left out because it was not understood; absent if there was none. */
  unclearSeconds?: number;
  /** Whether the model for languages other than English is missing and might have understood more. */
  onlyEnglish?: true;
  /** The model of the language in which most is said. */
  model: { id: string; version: string };
}

/** Words spoken from `start` to `end`, in seconds to a tenth. */
export interface SpokenSegment {
  start: number;
  end: number;
  text: string;
  /** ISO 639-1. */
  language: string;
}

interface TranscribeOptions {
  settings: EngineSettings;
  /** Ends the work, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** A loaded model. */
interface LoadedModel<L> {
  model: { id: string; version: string };
  listen: L;
  texts: TokenDecoder;
}

const ENGLISH = "en";
/** Languages of people in whose recordings transcripts were measured; see NOTES.md. */
const MEASURED: ReadonlySet<string> = new Set([ENGLISH, "es", "fr", "it", "ru"]);

/**
 * Transcribes a recording or video. Only stretches with a voice are passed to a model: first to the one for English, and
 * if it is not sure, to the one for all languages, which tells the language. Uncertain results are dropped, so that
 * silence, noise and music give an empty transcript, and without the second model usually other languages, too.
 *
 * Throws ModelError if no model is available, UnreadableFileError if the sound cannot be decoded, and
 * FfmpegMissingError.
 */
export async function transcribe(
  file: string,
  facts: MediaFacts,
  { settings, signal }: TranscribeOptions,
): Promise<Transcript> {
  const english = await loadEnglish(settings);
  const samples = readSamples(file, facts, { settings: settings.media ?? {}, signal });
  const record = new Record(english.model);
  for await (const { start, samples: heard } of findUtterances(samples)) {
    signal?.throwIfAborted();
    const utterance = { start, samples: heard };
    const { certainty, text } = await understand(english, heard, signal);
    // The model transcribes breath as punctuation only, for example "…".
    if (!hasWords(text)) continue;
    const said = { text, language: ENGLISH, model: english.model };
    if (certainty >= SURELY_ENGLISH) {
      record.add(utterance, said);
      continue;
    }
    const others = await loadLanguages(settings);
    if (others === undefined) record.lackLanguages();
    const other = await (others === undefined ? undefined : understandOther(others, heard, signal));
    if (certainty >= CERTAINTY_MIN && (other === undefined || other.language === ENGLISH)) record.add(utterance, said);
    else if (other?.text === undefined) record.leaveOut(utterance);
    else if (other.text !== "") record.add(utterance, { ...other, text: other.text });
  }
  return record.transcript();
}

/** What an utterance says, by the model for English. */
async function understand(
  { listen, texts }: LoadedModel<MoonshineListener>,
  samples: Float32Array,
  signal: AbortSignal | undefined,
): Promise<{ certainty: number; text: string }> {
  const hypothesis = await listen(samples, signal);
  return { certainty: certaintyOf(hypothesis), text: texts.text(hypothesis.tokens) };
}

/** What an utterance says, by the model for all languages. */
interface OtherSaid {
  language: string;
  /** Undefined if it is not understood, empty if nothing is said. */
  text: string | undefined;
  model: Transcript["model"];
}

async function understandOther(
  { listen, texts, model }: LoadedModel<WhisperListener>,
  samples: Float32Array,
  signal: AbortSignal | undefined,
): Promise<OtherSaid | undefined> {
  const { guesses, write } = await listen(samples, signal);
  let best: { language: string; hypothesis: Hypothesis; score: number } | undefined;
  for (const { language, prob } of probableLanguages(guesses)) {
    const hypothesis = await write(language, signal);
    const score = prob * certaintyOf(hypothesis) ** CERTAINTY_WEIGHT;
    if (best === undefined || score > best.score) best = { language, hypothesis, score };
  }
  if (best === undefined) return undefined;
  const { language, hypothesis } = best;
  const text = texts.text(hypothesis.tokens);
  if (!hasWords(text)) return { language, text: "", model };
  const least = MEASURED.has(language) ? OTHER_CERTAINTY_MIN : UNMEASURED_CERTAINTY_MIN;
  const isCredible = certaintyOf(hypothesis) >= least && !isRepetitive(hypothesis.tokens);
  return { language, text: isCredible ? text : undefined, model };
}

/** The languages in which an utterance is written down: the likeliest, and two more unless it is sure. */
function probableLanguages(guesses: readonly LanguageGuess[]): LanguageGuess[] {
  const weighted = guesses.map(({ language, prob }) => ({
    language,
    prob: prob * (MEASURED.has(language) ? MEASURED_WEIGHT : 1),
  }));
  const [first, ...others] = weighted.sort((a, b) => b.prob - a.prob);
  if (first === undefined) return [];
  return (guesses[0]?.prob ?? 0) >= SURE_LANGUAGE ? [first] : [first, ...others.slice(0, 2)];
}

const hasWords = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);

/** Where an utterance is in its recording, in samples. */
interface Place {
  start: number;
  samples: Float32Array;
}

/** What was understood of an utterance. */
interface Said {
  text: string;
  language: string;
  model: Transcript["model"];
}

/** The transcript in the making. */
class Record {
  private readonly segments: SpokenSegment[] = [];
  private readonly samples = new Map<string, { count: number; model: Transcript["model"] }>();
  private unclear = 0;
  private onlyEnglish = false;

  constructor(private readonly model: Transcript["model"]) {}

  add({ start, samples }: Place, { text, language, model }: Said): void {
    this.segments.push({ start: tenths(start), end: tenths(start + samples.length), text, language });
    const count = (this.samples.get(language)?.count ?? 0) + samples.length;
    this.samples.set(language, { count, model });
  }

  leaveOut({ samples }: Place): void {
    this.unclear += samples.length;
  }

  lackLanguages(): void {
    this.onlyEnglish = true;
  }

  transcript(): Transcript {
    const { segments, unclear } = this;
    const [most] = [...this.samples].sort(([, a], [, b]) => b.count - a.count);
    return {
      text: segments.map(({ text }) => text).join(" "),
      segments,
      ...(most === undefined ? {} : { language: most[0], supported: MEASURED.has(most[0]) }),
      ...(unclear > 0 ? { unclearSeconds: tenths(unclear) } : {}),
      ...(unclear > 0 && this.onlyEnglish ? { onlyEnglish: true } : {}),
      model: most?.[1].model ?? this.model,
    };
  }
}

/**
 * Whether a speech model is available; if not, `error` says what to do. Checks whether its files exist, and neither
 * loads nor downloads them.
 */
export async function speechStatus(settings: EngineSettings): Promise<{ ready: boolean; error?: string }> {
  try {
    if (await hasSpeechModel(settings)) return { ready: true };
    // Without network access this only determines the reason.
    if (settings.offline === true || settings.modelsDir === undefined) await provideSpeechModel(settings);
    const name = spellModelId(speechModel(settings));
    const advice = `it is downloaded when the first sound comes, or by ${pullCommand(name)}`;
    return { ready: false, error: `Model ${name} is not in MODELS_DIR: ${advice}.` };
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return { ready: false, error: error.message };
  }
}

const tenths = (samples: number): number => Math.round((samples / SAMPLE_RATE) * 10) / 10;

/** Models are loaded once per process; a failed attempt is retried the next time. */
const loadedEnglish = new Map<string, Promise<LoadedModel<MoonshineListener>>>();
const loadedLanguages = new Map<string, Promise<LoadedModel<WhisperListener> | undefined>>();

async function loadEnglish(settings: EngineSettings): Promise<LoadedModel<MoonshineListener>> {
  const key = `${settings.modelsDir ?? ""} ${spellModelId(speechModel(settings))}`;
  return await loadOnce(loadedEnglish, key, async () => {
    const files = await provideSpeechModel(settings);
    try {
      const listen = await loadMoonshine(files);
      return { model: { id: files.id, version: files.version }, listen, texts: files.tokens };
    } catch (error) {
      const why = `Model ${files.id} cannot be loaded: run ${pullCommand(files.id)}, or name another as MODEL_SPEECH.`;
      throw new ModelError("damaged", why, { cause: error });
    }
  });
}

/** The model for all languages; undefined if it is not on this machine. */
async function loadLanguages(settings: EngineSettings): Promise<LoadedModel<WhisperListener> | undefined> {
  if (settings.media?.speechLanguages === "en") return undefined;
  const key = settings.modelsDir ?? "";
  const loaded = await loadOnce(loadedLanguages, key, async () => {
    const files = await findLanguagesModel(settings);
    if (files === undefined) return undefined;
    const { id, version, tokens, texts } = files;
    return { model: { id, version }, listen: await loadWhisper(files, tokens), texts };
  });
  // It may be downloaded later.
  if (loaded === undefined) loadedLanguages.delete(key);
  return loaded;
}

async function loadOnce<T>(loaded: Map<string, Promise<T>>, key: string, load: () => Promise<T>): Promise<T> {
  const loading = loaded.get(key) ?? load();
  loaded.set(key, loading);
  try {
    return await loading;
  } catch (error) {
    loaded.delete(key);
    throw error;
  }
}

/**
 * From this mean probability of a token, the model for English is right that it is English: of 120 recordings of people in four
 * other languages none is above, of 30 in English one below.
 */
const SURELY_ENGLISH = 0.78;

/**
 * Below this mean, the model for English is guessing: of sentences spoken by espeak-ng in 14 other languages all but one
 * lie below, of English ones none, with and without noise. It would invent English sentences.
 */
const CERTAINTY_MIN = 0.5;

/** The same for the model for all languages. */
const OTHER_CERTAINTY_MIN = 0.5;

/** Of languages in which transcripts were not measured, more is asked: sounds that are no speech are often taken for them. */
const UNMEASURED_CERTAINTY_MIN = 0.6;

/** From this probability, the language is not doubted. */
const SURE_LANGUAGE = 0.85;

/**
 * Below, the utterance is written down in three languages. Written in the right one it is by far the most certain, so
 * the certainty counts more than the probability of the language: it distinguishes the Spanish of a speaker with an accent
 * from Italian, and from Latin.
 */
const CERTAINTY_WEIGHT = 8;
/** The measured languages are spoken by more people than most of those that they are taken for. */
const MEASURED_WEIGHT = 2;
