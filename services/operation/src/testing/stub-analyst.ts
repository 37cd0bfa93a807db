import type { VisualAnalysis } from "@hourglass/analysis";
import {
  type FileAnalyst,
  type FileContent,
  type FileFindings,
  type FileAnalysisRequest,
  UnusableFileError,
} from "@hourglass/analysis/files";

/**
 * An analyst whose findings depend only on ids or URLs: the text of a URL is what is said, written or wrong in the
 * file.
 */
export class StubAnalyst implements FileAnalyst {
  /** The arguments of each call, in order. */
  readonly calls: { content: FileContent; analyses: readonly VisualAnalysis[]; words: boolean; companyId: number }[] =
    [];
  /** Called before each answer; may wait or throw. */
  before: (content: FileContent, request: FileAnalysisRequest) => Promise<void> | void = () => undefined;

  async analyse(content: FileContent, request: FileAnalysisRequest): Promise<FileFindings> {
    const { companyId, analyses, words } = request;
    this.calls.push({ content, analyses, words, companyId });
    await this.before(content, request);
    const name = content.kind === "url" ? new URL(content.value).pathname.slice(1) : `picture-${content.value}.png`;
    if (name.startsWith("broken")) throw new UnusableFileError("it is damaged");
    return findingsOf(name, analyses, words);
  }
}

const MODEL = { id: "stub", version: "1" };
const FORMATS = { png: [false, true], mp3: [true, false], mp4: [true, true], gif: [false, true] } as const;

function findingsOf(name: string, analyses: readonly VisualAnalysis[], words: boolean): FileFindings {
  const [says = "", extension = "png"] = decodeURIComponent(name).split(".");
  const format = extension as keyof typeof FORMATS;
  const [hasSound, hasPictures] = FORMATS[format];
  const findings: FileFindings = { facts: { format, hasSound, hasPictures }, results: {}, errors: {}, models: {} };
  if (hasPictures) for (const analysis of analyses) addVisual(findings, analysis, says);
  const [spoken = "", printed = ""] = says.split("|");
  if (words && hasSound) findings.transcript = transcriptOf(spoken);
  if (words && hasPictures) findings.reading = { text: hasSound ? printed : spoken, model: MODEL };
  return findings;
}

function transcriptOf(text: string): NonNullable<FileFindings["transcript"]> {
  if (text === "MUMBLING") return { text: "", segments: [], unclearSeconds: 1.5, model: MODEL };
  const unclear = text.endsWith("MUMBLING") ? { unclearSeconds: 2.5 } : {};
  return { text, segments: [{ start: 0, end: 1.5, text }], ...unclear, model: MODEL };
}

function addVisual(findings: FileFindings, analysis: VisualAnalysis, says: string): void {
  if (says.includes("NOTHING")) {
    findings.errors[analysis] = "the model is missing";
    return;
  }
  findings.models[analysis] = MODEL;
  if (analysis === "caption") findings.results.caption = [{ description: `a picture of ${says}` }];
  else {
    const moments = findings.facts.hasSound ? { moments: [{ start: 0, end: 2 }] } : {};
    findings.results[analysis] = [{ value: says, prob: 0.9, ...moments }];
  }
}
