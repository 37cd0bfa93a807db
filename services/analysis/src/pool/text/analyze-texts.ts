import type { ResultOf, TextualAnalysis } from "../../registry/analyses.js";
import type { AnalyzeOptions, Analyzer, ModelRef, TextDocument } from "../../analyzer.js";
import { createDocument } from "../../text/document.js";
import type { EngineSettings } from "../../engine-settings.js";
import { putBack, splitBatches } from "./pool-batches.js";
import { reasonOf } from "../../registry/load-engine.js";
import { type Analyzers, createAnalyzers, type RegisteredAnalyzer } from "../../registry/textual-registry.js";

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
}

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

/** What to analyse in the texts of a batch. */
export interface BatchPlan extends AnalyzeOptions {
  analyzers: Analyzers;
  analyses: readonly TextualAnalysis[];
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
    putBack(done.entries, batch, entries);
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
  { analyzers, analyses, explain }: BatchPlan,
): Promise<TimedAnalyses> => {
  const works = texts.map(createWork);
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
interface Work {
  document: TextDocument;
  entry: TextAnalysis;
}

const createWork = (text: string): Work => ({
  document: createDocument(text),
  entry: { results: {}, errors: {}, models: {}, language: UNDETERMINED, supported: {} },
});

const UNDETERMINED = "und";

const runAnalyzer = async <T extends TextualAnalysis>(
  analyzer: RegisteredAnalyzer<T>,
  works: readonly Work[],
  options: AnalyzeOptions,
): Promise<void> => {
  const unprepared = await prepareAll(analyzer, works, options);
  for (const work of works) {
    const { document, entry } = work;
    entry.models[analyzer.type] = analyzer.model;
    try {
      entry.language = document.language.code;
      entry.supported[analyzer.type] =
        analyzer.languages.has(entry.language) && (analyzer.hasEvidence?.(document) ?? true);
      if (unprepared.has(work)) throw unprepared.get(work);
      if (analyzer.modelOf !== undefined) entry.models[analyzer.type] = analyzer.modelOf(document);
      entry.results[analyzer.type] = analyzer.analyze(document, options);
    } catch (error) {
      entry.errors[analyzer.type] = reasonOf(error);
    }
  }
};

/** Prepares all texts together; if that fails, each alone, so that only the faulty texts fail. */
const prepareAll = async (
  analyzer: Analyzer,
  works: readonly Work[],
  options: AnalyzeOptions,
): Promise<ReadonlyMap<Work, unknown>> => {
  const failed = new Map<Work, unknown>();
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
