import { VISUAL_ANALYSES, type VisualAnalysis } from "@hourglass/analysis";
import { failpoint, inSpan } from "@hourglass/runtime";
import type { GroupTexts } from "./group-texts.js";
import {
  analysesOf,
  type HeldOperation,
  operationAttributes,
  type AnalysisName,
  type ContentOutcome,
  type ContentValue,
  type FileOutcome,
  isFileOutcome,
  TEXT_SOURCES,
  type TextSource,
} from "../records/operation.js";
import type { PartAnalysis, PartContents } from "./part-analysis.js";
import { type FileAnalyst, type FileContent, type FileFindings, UnusableFileError } from "@hourglass/analysis/files";
import type { TextOutcome } from "../records/text-outcome.js";
import { SiteTime } from "@hourglass/analysis/files";
import type { TextAnalysis, TextAnalysisDeps } from "./text-analysis.js";

export interface FilePartsDeps {
  files: FileAnalyst;
  texts: TextAnalysis;
  groups: GroupTexts;
  onTimed: TextAnalysisDeps["onTimed"];
}

/** Contents that are files: the findings of each file, and the analyses of the words spoken or written in it. */
export class FileParts implements PartAnalysis {
  private readonly analyses: readonly VisualAnalysis[];
  private readonly siteTime: SiteTime;

  constructor(
    private readonly deps: FilePartsDeps,
    private readonly held: HeldOperation,
  ) {
    const asked: readonly AnalysisName[] = analysesOf(held.record);
    this.analyses = VISUAL_ANALYSES.filter((analysis) => asked.includes(analysis));
    this.siteTime = new SiteTime(held.record.contentsCount);
  }

  async analyse(
    { first, contents }: PartContents,
    onContent: (count: number) => Promise<void>,
  ): Promise<FileOutcome[]> {
    const outcomes = await Promise.all(
      contents.map(async (content) => {
        const outcome = await this.look(content);
        await onContent(1);
        return outcome;
      }),
    );
    await this.analyseWords(outcomes, first);
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

  private async look(content: ContentValue): Promise<FileOutcome> {
    const { files, texts, onTimed } = this.deps;
    const { record, lease } = this.held;
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
      const findings = await inSpan({ name: "analyse file", attributes }, () =>
        files.analyse(toFileContent(content), request),
      );
      return { findings, texts: {} };
    } catch (error) {
      if (error instanceof UnusableFileError) return { unreadable: error.message };
      throw error;
    }
  }

  /** Adds the analyses of the words in files, all in one call, since they are few. */
  private async analyseWords(outcomes: readonly FileOutcome[], first: number): Promise<void> {
    const found: {
      source: TextSource;
      text: string;
      grouped: boolean;
      into: Partial<Record<TextSource, TextOutcome>>;
    }[] = [];
    outcomes.forEach((outcome, offset) => {
      if ("unreadable" in outcome) return;
      const grouped = this.deps.groups.isMember(first + offset);
      for (const source of TEXT_SOURCES) {
        const text = wordsOf(outcome.findings, source);
        if (text !== "") found.push({ source, text, grouped, into: outcome.texts });
      }
    });
    const results = await this.deps.texts.analyseOwn(found);
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
  return (source === "transcript" ? transcript : reading)?.text.trim() ?? "";
}
