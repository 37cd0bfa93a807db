import {
  type Classification,
  CLASSIFYING_ANALYSES,
  type ExplainedSpan,
  type measureAnalyses,
  TEXTUAL_ANALYSES,
  type TextAnalyst,
  type TextualAnalysis,
  type Topic,
  utf16Offsets,
  VISUAL_ANALYSES,
  type VisualAnalysis,
  withoutPageFurniture,
} from "@hourglass/analysis";
import {
  type FileAnalyst,
  type FileContent,
  type FileFindings,
  SiteTime,
  UnusableFileError,
} from "@hourglass/analysis/files";
import { failpoint, type LeasedJob, inSpan } from "@hourglass/runtime";
import type { GroupTexts } from "./groups.js";
import {
  analysesOf,
  type AnalysisName,
  type ContentOutcome,
  type ContentValue,
  type FileOutcome,
  isExplained,
  isFileOutcome,
  offsetUnitOf,
  operationAttributes,
  type OperationRecord,
  TEXT_SOURCES,
  type TextOutcome,
  type TextSource,
} from "./store.js";

export interface AnalyzeDeps {
  pool: TextAnalyst;
  /** Without it, operations on files fail. */
  files?: FileAnalyst;
  /** Receives the time of each analysis. */
  onTimed: ReturnType<typeof measureAnalyses>;
}

/** Consecutive contents of an operation. */
export interface PartContents {
  /** Index of the first content in the operation. */
  first: number;
  contents: readonly ContentValue[];
}

/** How contents of one kind are analyzed, a part at a time. */
export interface PartAnalyzer {
  /** One outcome per content, in order; `onContent` is awaited as contents are done. */
  analyze(part: PartContents, onContent: (count: number) => Promise<void>): Promise<ContentOutcome[]>;
  /** The text that each content of a part adds to its groups; empty: none. */
  groupTexts(contents: readonly ContentValue[], outcomes: readonly ContentOutcome[]): string[];
}

/** The analyzer of the kind of an operation's contents. Throws for files in a worker that cannot read them. */
export function partAnalyzerOf(
  { files, onTimed }: AnalyzeDeps,
  leased: LeasedJob<OperationRecord>,
  { texts, groups }: { texts: TextAnalyzer; groups: GroupTexts },
): PartAnalyzer {
  if (leased.record.kind === "text") return new TextParts(texts, groups);
  if (files === undefined) throw new Error("this worker cannot read files");
  return new FileParts({ files, onTimed, texts, groups }, leased);
}

/** Contents that are texts. */
class TextParts implements PartAnalyzer {
  constructor(
    private readonly texts: TextAnalyzer,
    private readonly groups: GroupTexts,
  ) {}

  async analyze(
    { first, contents }: PartContents,
    onContent: (count: number) => Promise<void>,
  ): Promise<TextOutcome[]> {
    const outcomes = await this.texts.analyzeOwn(
      contents.map((content, offset) => ({ text: String(content), grouped: this.groups.isMember(first + offset) })),
    );
    failpoint("worker.mid");
    await onContent(contents.length);
    return outcomes;
  }

  groupTexts(contents: readonly ContentValue[]): string[] {
    return contents.map(String);
  }
}

interface FilePartsDeps {
  files: FileAnalyst;
  texts: TextAnalyzer;
  groups: GroupTexts;
  onTimed: AnalyzeDeps["onTimed"];
}

/** Contents that are files: the findings of each file, and the analyses of the words spoken or written in it. */
class FileParts implements PartAnalyzer {
  private readonly analyses: readonly VisualAnalysis[];
  private readonly siteTime: SiteTime;

  constructor(
    private readonly deps: FilePartsDeps,
    private readonly leased: LeasedJob<OperationRecord>,
  ) {
    const requested: readonly AnalysisName[] = analysesOf(leased.record);
    this.analyses = VISUAL_ANALYSES.filter((analysis) => requested.includes(analysis));
    this.siteTime = new SiteTime(leased.record.contentsCount);
  }

  async analyze(
    { first, contents }: PartContents,
    onContent: (count: number) => Promise<void>,
  ): Promise<FileOutcome[]> {
    const outcomes = await Promise.all(
      contents.map(async (content) => {
        const outcome = await this.analyzeFile(content);
        await onContent(1);
        return outcome;
      }),
    );
    await this.analyzeWords(outcomes, first);
    failpoint("worker.mid");
    return outcomes;
  }

  groupTexts(contents: readonly ContentValue[], outcomes: readonly ContentOutcome[]): string[] {
    return contents.map((_, index) => {
      const outcome = outcomes[index];
      if (outcome === undefined || !isFileOutcome(outcome) || "unreadable" in outcome) return "";
      const words = TEXT_SOURCES.map((source) => wordsOf(outcome.findings, source));
      return words.filter((text) => text !== "").join("\n");
    });
  }

  private async analyzeFile(content: ContentValue): Promise<FileOutcome> {
    const { files, texts, onTimed } = this.deps;
    const { record, lease } = this.leased;
    const attributes = { ...operationAttributes(record.id), "hourglass.analyses": [...this.analyses] };
    const request = {
      companyId: record.companyId,
      siteTime: this.siteTime,
      analyses: this.analyses,
      words: texts.analyses.length > 0,
      signal: lease.signal,
      onTimed: ({ analysis, seconds }: { analysis: string; seconds: number }) =>
        onTimed({ analysis, engine: "media", seconds }),
    };
    try {
      const findings = await inSpan({ name: "analyze file", attributes }, () =>
        files.analyze(toFileContent(content), request),
      );
      return { findings, texts: {} };
    } catch (error) {
      if (error instanceof UnusableFileError) return { unreadable: error.message };
      throw error;
    }
  }

  /** Adds the analyses of the words in files, all in one call, since they are few. */
  private async analyzeWords(outcomes: readonly FileOutcome[], first: number): Promise<void> {
    const found: {
      source: TextSource;
      text: string;
      language: string | undefined;
      grouped: boolean;
      into: Partial<Record<TextSource, TextOutcome>>;
    }[] = [];
    outcomes.forEach((outcome, offset) => {
      if ("unreadable" in outcome) return;
      const grouped = this.deps.groups.isMember(first + offset);
      for (const source of TEXT_SOURCES) {
        const text = wordsOf(outcome.findings, source);
        const language = source === "transcript" ? spokenLanguage(outcome.findings) : undefined;
        if (text !== "") found.push({ source, text, language, grouped, into: outcome.texts });
      }
    });
    const results = await this.deps.texts.analyzeOwn(found);
    found.forEach(({ source, into }, index) => {
      const result = results[index];
      if (result !== undefined) into[source] = result;
    });
  }
}

function toFileContent(content: ContentValue): FileContent {
  return typeof content === "number" ? { kind: "file-id", value: content } : { kind: "url", value: content };
}

/** The words of a file; empty if there are none. */
function wordsOf({ transcript, reading }: FileFindings, source: TextSource): string {
  if (source === "transcript") return transcript?.text.trim() ?? "";
  // Its lines begin where those of the result do, which the places of explanations count from.
  return reading === undefined || reading.text.trim() === "" ? "" : withoutPageFurniture(reading.text).trimEnd();
}

/** The language of all that is said; undefined if there are several, which the analyses of texts tell as they do of others. */
function spokenLanguage({ transcript }: FileFindings): string | undefined {
  const languages = new Set(transcript?.segments.map(({ language }) => language));
  return languages.size === 1 ? [...languages][0] : undefined;
}

/** A text of an operation. */
interface OwnText {
  text: string;
  /** ISO 639-1, if it is known. */
  language?: string | undefined;
  /** Whether the personality of its content comes from a group. */
  grouped: boolean;
}

/** Analyses texts as one operation requests. */
export class TextAnalyzer {
  /** The requested analyses that work on text. */
  readonly analyses: readonly TextualAnalysis[];

  constructor(
    private readonly deps: AnalyzeDeps,
    private readonly leased: LeasedJob<OperationRecord>,
  ) {
    const requested: readonly AnalysisName[] = analysesOf(leased.record);
    this.analyses = TEXTUAL_ANALYSES.filter((analysis) => requested.includes(analysis));
  }

  /** Outcomes of the contents' own texts, in order; texts in a group get no personality. */
  async analyzeOwn(texts: readonly OwnText[]): Promise<TextOutcome[]> {
    const single = this.analyses.filter((analysis) => analysis !== "personality-mb");
    const outcomes = await this.runByLanguage(texts, single);
    if (single.length === this.analyses.length) return outcomes;
    const alone = texts.flatMap(({ grouped }, index) => (grouped ? [] : [index]));
    const personalities = await this.runByLanguage(
      alone.map((index) => texts[index] ?? { text: "" }),
      ["personality-mb"],
    );
    alone.forEach((index, position) => {
      const [outcome, personality] = [outcomes[index], personalities[position]];
      if (outcome !== undefined && personality !== undefined) outcomes[index] = merge(outcome, personality);
    });
    return outcomes;
  }

  /** Outcomes of texts, each by a single author. */
  analyzePersonality(texts: readonly string[]): Promise<TextOutcome[]> {
    return this.run(texts, ["personality-mb"]);
  }

  /** Analyzes texts of each known language apart, since the pool takes one language for all texts of a call. */
  private async runByLanguage(
    texts: readonly Pick<OwnText, "text" | "language">[],
    analyses: readonly TextualAnalysis[],
  ): Promise<TextOutcome[]> {
    const outcomes: TextOutcome[] = [];
    for (const language of new Set(texts.map((text) => text.language))) {
      const indexes = texts.flatMap((text, index) => (text.language === language ? [index] : []));
      const found = await this.run(
        indexes.map((index) => texts[index]?.text ?? ""),
        analyses,
        language,
      );
      indexes.forEach((index, position) => {
        outcomes[index] = found[position] ?? { results: {}, errors: {} };
      });
    }
    return outcomes;
  }

  private async run(
    texts: readonly string[],
    analyses: readonly TextualAnalysis[],
    language?: string,
  ): Promise<TextOutcome[]> {
    const { pool, onTimed } = this.deps;
    const { signal } = this.leased.lease;
    signal.throwIfAborted();
    if (texts.length === 0 || analyses.length === 0) return texts.map(() => ({ results: {}, errors: {} }));
    const { record } = this.leased;
    const explain = isExplained(record);
    const attributes = {
      "hourglass.texts": texts.length,
      "hourglass.analyses": [...analyses],
      "hourglass.explain": explain,
    };
    const outcomes = await inSpan({ name: "analyze texts", attributes }, () =>
      pool.analyze(texts, analyses, { explain, language, owner: record.companyId, signal, onTimed }),
    );
    if (outcomes.length !== texts.length) {
      throw new Error(`the pool returned ${outcomes.length} outcomes for ${texts.length} texts`);
    }
    if (!explain) return outcomes;
    const bounded = outcomes.map(withinBounds);
    if (offsetUnitOf(record) === "code-points") return bounded;
    return bounded.map((outcome, index) => inUtf16(outcome, texts[index] ?? ""));
  }
}

/** Merges two outcomes of the same text. */
function merge(one: TextOutcome, other: TextOutcome): TextOutcome {
  return {
    ...one,
    ...other,
    results: { ...one.results, ...other.results },
    errors: { ...one.errors, ...other.errors },
    models: { ...one.models, ...other.models },
    supported: { ...one.supported, ...other.supported },
    unsupportedReasons: { ...one.unsupportedReasons, ...other.unsupportedReasons },
  };
}

// Bounds of what explanations add to the outcome of one text: 34 probabilities, 40 spans of 64 code points and 500
// offsets, less than 18 KiB on the wire. The largest operation, a thousand contents of 20 MiB in all, which its response
// holds twice, therefore fits into the 64 MiB of a message, and a part of a hundred into the 16 MB of a document.

/** Spans per classification. */
const SPANS_MAX = 10;
/** Length of the text of a span, in code points. */
const SPAN_CHARACTERS_MAX = 64;
/** Offsets of all topics of one text together. */
const OFFSETS_MAX = 500;

/** The outcome with its explanations cut to the bounds. */
export function withinBounds(outcome: TextOutcome): TextOutcome {
  return changeExplanations(outcome, {
    spans: (spans) => spans.slice(0, SPANS_MAX).map(boundText),
    topics: boundOffsets,
  });
}

function boundText(span: ExplainedSpan): ExplainedSpan {
  if (span.text.length <= SPAN_CHARACTERS_MAX) return span;
  // A code point takes at most two UTF-16 units.
  const text = [...span.text.slice(0, 2 * SPAN_CHARACTERS_MAX)].slice(0, SPAN_CHARACTERS_MAX).join("");
  return { ...span, text };
}

function boundOffsets(topics: Topic[]): Topic[] {
  const max = fairShare(
    topics.map(({ offsets }) => offsets?.length ?? 0),
    OFFSETS_MAX,
  );
  return topics.map((topic) => {
    const { offsets } = topic;
    return offsets === undefined || offsets.length <= max ? topic : { ...topic, offsets: offsets.slice(0, max) };
  });
}

/** The largest number that each may have if all together may have `total`; unused shares go to the others. */
function fairShare(needs: readonly number[], total: number): number {
  let left = total;
  const ascending = [...needs].sort((a, b) => a - b);
  for (const [index, need] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - index));
    if (need > share) return share;
    left -= need;
  }
  return Infinity;
}

/** The outcome of a text with the offsets of its explanations in UTF-16; the analyses give them in code points. */
function inUtf16(outcome: TextOutcome, text: string): TextOutcome {
  const toUtf16 = utf16Offsets(text);
  const convert = <T extends { start: number; end: number }>(range: T): T => ({
    ...range,
    start: toUtf16(range.start),
    end: toUtf16(range.end),
  });
  return changeExplanations(outcome, {
    spans: (spans) => spans.map(convert),
    topics: (topics) =>
      topics.map((topic) => ({ ...topic, ...(topic.offsets && { offsets: topic.offsets.map(convert) }) })),
  });
}

/** Changes to the parts of explanations that refer to a text. */
interface ExplanationChange {
  spans: (spans: ExplainedSpan[]) => ExplainedSpan[];
  topics: (topics: Topic[]) => Topic[];
}

/** The outcome with its explanations changed. */
function changeExplanations(outcome: TextOutcome, change: ExplanationChange): TextOutcome {
  const results = { ...outcome.results };
  for (const type of CLASSIFYING_ANALYSES) {
    const result = results[type];
    if (result !== undefined) results[type] = changeSpans(result, change);
  }
  if (results.topic !== undefined) results.topic = change.topics(results.topic);
  return { ...outcome, results };
}

function changeSpans(classification: Classification, { spans }: ExplanationChange): Classification {
  const { explanation } = classification;
  if (explanation === undefined) return classification;
  return { ...classification, explanation: { ...explanation, spans: spans(explanation.spans) } };
}
