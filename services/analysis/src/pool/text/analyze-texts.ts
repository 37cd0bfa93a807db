import type { AnalyzeOptions, Analyzer, ModelRef, ResultOf, TextDocument, TextualAnalysis } from "../../analyzer.js";
import { createDocument } from "../../text/document.js";
import type { EngineSettings } from "../../engine-settings.js";
import { putBack, splitBatches } from "./pool-batches.js";
import { reasonOf } from "../../registry/load-engine.js";
import { type Analyzers, createAnalyzers } from "../../registry/textual-registry.js";

/** What became of one text: a result or an error for every analysis asked for. */
export interface TextAnalysis {
  results: { [T in TextualAnalysis]?: ResultOf[T] };
  errors: Partial<Record<TextualAnalysis, string>>;
  /** What made the results; of every analysis that could be loaded. */
  models: Partial<Record<TextualAnalysis, ModelRef>>;
  /** ISO 639-1; `und` when the text is too short to tell, or undecided. */
  language: string;
  /** Whether the model is made for the language of the text, and finds something to go by; of every analysis that could be loaded. */
  supported: Partial<Record<TextualAnalysis, boolean>>;
}

/** How long a thread spent on one analysis for a batch of texts. */
export interface AnalysisTiming {
  analysis: TextualAnalysis;
  /** What made the results, such as `accurate`. */
  engine: string;
  /** What several analyses share is counted to the one that needs it first. */
  seconds: number;
}

export interface TimedAnalyses {
  entries: TextAnalysis[];
  /** Of the analyses that could be loaded. */
  timings: AnalysisTiming[];
}

/** What to do with the texts of a batch. */
export interface BatchPlan extends AnalyzeOptions {
  analyzers: Analyzers;
  analyses: readonly TextualAnalysis[];
}

/**
 * Analyses texts on the calling thread; entry `i` belongs to text `i`. An analyzer that cannot be loaded, or that throws
 * on a text, becomes an error in place of the result and nothing else.
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

/** Analyses texts of similar length, 32 at most; entry `i` belongs to text `i`. Says how long each analysis took. */
export const analyzeBatch = async (
  texts: readonly string[],
  { analyzers, analyses, explain }: BatchPlan,
): Promise<TimedAnalyses> => {
  const works = texts.map(createWork);
  const timings: AnalysisTiming[] = [];
  for (const type of analyses) {
    let analyzer: Analyzer;
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

/** A text on its way to its entry. */
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
  analyzer: Analyzer<T>,
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
      entry.results[analyzer.type] = analyzer.analyze(document, options);
    } catch (error) {
      entry.errors[analyzer.type] = reasonOf(error);
    }
  }
};

/** Prepares all texts together; when that fails, each alone, so that only those with a fault of their own go without. */
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
