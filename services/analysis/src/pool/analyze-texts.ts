import type { AnalyzeOptions, Analyzer, EngineSettings, ModelRef, TextDocument } from "../types.js";
import { reasonOf, type ResultOf, type TextualAnalysis } from "../registry/analyses.js";
import { type Analyzers, createAnalyzers, type RegisteredAnalyzer } from "../registry/textual-registry.js";
import { createDocument } from "../text/document.js";
import { isOneLanguage, UNDETERMINED } from "../text/language/detector.js";
import { lacksSpaces } from "../text/language/spaces.js";

/** The outcome for one text: a result or an error for every requested analysis. */
export interface TextAnalysis {
  results: { [T in TextualAnalysis]?: ResultOf[T] };
  errors: Partial<Record<TextualAnalysis, string>>;
  /** The models of all analyses that could be loaded. */
  models: Partial<Record<TextualAnalysis, ModelRef>>;
  /** ISO 639-1; `und` if the text is too short or the language is undecided. */
  language: string;
  /**
   * Whether the model supports the language of the text and the text gives it evidence; for every analysis that could
   * be loaded.
   */
  supported: Partial<Record<TextualAnalysis, boolean>>;
  /** Why an analysis is not supported; for those whose `supported` is false. */
  unsupportedReasons?: Partial<Record<TextualAnalysis, UnsupportedReason>>;
}

/** Why little is to be expected of the result of an analysis for a text. */
export type UnsupportedReason = "language" | "undetermined" | "several-languages" | "no-spaces" | "little-evidence";

/** The time that a thread spent on one analysis of a batch. */
export interface AnalysisTiming {
  analysis: TextualAnalysis;
  /** The engine, for example `accurate`. */
  engine: string;
  /** Work shared by several analyses counts for the first that needs it. */
  seconds: number;
}

export interface TimedAnalyses {
  entries: TextAnalysis[];
  /** For the analyses that could be loaded. */
  timings: AnalysisTiming[];
}

/** What to analyze in the texts of a batch. */
interface BatchPlan extends AnalyzeOptions {
  analyzers: Analyzers;
  analyses: readonly TextualAnalysis[];
  /** Of all texts, if it is known; detected otherwise. */
  language?: string | undefined;
}

/**
 * Analyses texts on the calling thread; entry `i` belongs to text `i`. If an analyzer cannot be loaded or throws on a
 * text, only its result is replaced by an error.
 */
export const analyzeInline = async (
  texts: readonly string[],
  analyses: readonly TextualAnalysis[],
  { explain = false, ...settings }: Partial<AnalyzeOptions> & EngineSettings = {},
): Promise<TextAnalysis[]> => {
  const plan = { analyzers: analyzersFor(settings), analyses, explain };
  const entries = new Array<TextAnalysis>(texts.length);
  for (const batch of splitBatches(texts)) {
    const done = await analyzeBatch(batch.texts, plan);
    placeResults(done.entries, batch, entries);
  }
  return entries;
};

const inline = new Map<string, Analyzers>();

/** Loaded once per process and settings. */
const analyzersFor = (settings: EngineSettings): Analyzers => {
  const key = JSON.stringify(settings);
  const analyzers = inline.get(key) ?? createAnalyzers(settings);
  inline.set(key, analyzers);
  return analyzers;
};

/**
 * Analyses at most 32 texts of similar length; entry `i` belongs to text `i`. Also returns the time of each analysis.
 */
export const analyzeBatch = async (
  texts: readonly string[],
  { analyzers, analyses, explain, language }: BatchPlan,
): Promise<TimedAnalyses> => {
  const works = texts.map((text) => startText(text, language));
  const timings: AnalysisTiming[] = [];
  for (const type of analyses) {
    let analyzer: RegisteredAnalyzer;
    try {
      analyzer = await analyzers.load(type);
    } catch (error) {
      for (const { entry } of works) entry.errors[type] = reasonOf(error);
      continue;
    }
    const begunAt = performance.now();
    await runAnalyzer(analyzer, works, { explain });
    timings.push({ analysis: type, engine: analyzer.engine, seconds: (performance.now() - begunAt) / 1000 });
  }
  return { entries: works.map(({ entry }) => entry), timings };
};

/** A text in progress. */
interface TextInProgress {
  document: TextDocument;
  entry: TextAnalysis;
}

const startText = (text: string, language: string | undefined): TextInProgress => ({
  document: createDocument(text, language),
  entry: { results: {}, errors: {}, models: {}, language: UNDETERMINED, supported: {} },
});

const runAnalyzer = async <T extends TextualAnalysis>(
  analyzer: RegisteredAnalyzer<T>,
  works: readonly TextInProgress[],
  options: AnalyzeOptions,
): Promise<void> => {
  const unprepared = await prepareAll(analyzer, works, options);
  for (const work of works) {
    const { document, entry } = work;
    entry.models[analyzer.type] = analyzer.model;
    try {
      entry.language = document.language.code;
      const reason = unsupportedReason(analyzer, document);
      entry.supported[analyzer.type] = reason === undefined;
      if (reason !== undefined) (entry.unsupportedReasons ??= {})[analyzer.type] = reason;
      if (unprepared.has(work)) throw unprepared.get(work);
      if (analyzer.modelOf !== undefined) entry.models[analyzer.type] = analyzer.modelOf(document);
      entry.results[analyzer.type] = analyzer.analyze(document, options);
    } catch (error) {
      entry.errors[analyzer.type] = reasonOf(error);
    }
  }
};

const SPACES = Symbol("spaces");

const unsupportedReason = (analyzer: RegisteredAnalyzer, document: TextDocument): UnsupportedReason | undefined => {
  const { code } = document.language;
  if (document.once(SPACES, (text) => lacksSpaces(text, code))) return "no-spaces";
  if (!isOneLanguage(code)) return code === UNDETERMINED ? "undetermined" : "several-languages";
  if (!analyzer.languages.has(code)) return "language";
  return (analyzer.hasEvidence?.(document) ?? true) ? undefined : "little-evidence";
};

/** Prepares all texts together; if that fails, each alone, so that only the faulty texts fail. */
const prepareAll = async (
  analyzer: Analyzer,
  works: readonly TextInProgress[],
  options: AnalyzeOptions,
): Promise<ReadonlyMap<TextInProgress, unknown>> => {
  const failed = new Map<TextInProgress, unknown>();
  if (analyzer.prepare === undefined || works.length === 0) return failed;
  try {
    await analyzer.prepare(
      works.map(({ document }) => document),
      options,
    );
    return failed;
  } catch (error) {
    if (works.length === 1 && works[0] !== undefined) return failed.set(works[0], error);
  }
  for (const work of works) {
    try {
      await analyzer.prepare([work.document], options);
    } catch (error) {
      failed.set(work, error);
    }
  }
  return failed;
};

/** Texts of similar length that are passed to a thread as one job. */
interface TextBatch {
  /** Positions of the texts in the list; as many as `texts`. */
  positions: readonly number[];
  texts: readonly string[];
}

/** The most that a batch holds; a text with more characters forms its own batch. */
export interface BatchSize {
  texts: number;
  /** In UTF-16 code units. */
  characters: number;
  /** Whether to take the shortest texts, rather than the longest. */
  shortest?: boolean;
}

/** Enough texts to make the 50 µs of passing a job negligible, few enough to keep all threads busy to the end. */
const TEXTS_MAX = 32;
/** Long texts form smaller batches, so that no job occupies a thread for long. */
const CHARACTERS_MAX = 20_000;
export const SIZE_MAX: BatchSize = { texts: TEXTS_MAX, characters: CHARACTERS_MAX };

/**
 * Cuts batches of texts of similar length off a list, since a model pads the texts of a batch to the longest of them: the
 * longest texts first, because the slowest batch must not start last, unless the shortest are asked for.
 */
export class BatchCutter {
  private readonly order: readonly number[];
  /** Of the order, what has been cut off at either end. */
  private cut = 0;
  private left: number;

  constructor(private readonly texts: readonly string[]) {
    this.order = [...texts.keys()].sort((a, b) => this.lengthAt(b) - this.lengthAt(a));
    this.left = this.order.length;
  }

  get isDone(): boolean {
    return this.cut === this.left;
  }

  /** The next texts, at least one unless all have been cut off. */
  next({ texts, characters, shortest = false }: BatchSize): TextBatch {
    const rest = this.order.slice(this.cut, this.left);
    if (shortest) rest.reverse();
    let count = 0;
    let sum = 0;
    while (count < Math.min(rest.length, texts)) {
      sum += this.lengthAt(rest[count] ?? 0);
      if (sum > characters && count > 0) break;
      count += 1;
    }
    if (shortest) this.left -= count;
    else this.cut += count;
    const positions = rest.slice(0, count);
    return { positions, texts: positions.map((position) => this.texts[position] ?? "") };
  }

  private lengthAt(position: number): number {
    return this.texts[position]?.length ?? 0;
  }
}

/** Splits a whole list into batches, the longest texts first. */
export const splitBatches = (texts: readonly string[]): TextBatch[] => {
  const cutter = new BatchCutter(texts);
  const batches: TextBatch[] = [];
  while (!cutter.isDone) batches.push(cutter.next(SIZE_MAX));
  return batches;
};

/** Stores the values of a batch, one per text, at the positions of its texts. */
export const placeResults = <T>(values: readonly T[], { positions }: TextBatch, into: T[]): void => {
  values.forEach((value, i) => {
    const position = positions[i];
    if (position !== undefined) into[position] = value;
  });
};
