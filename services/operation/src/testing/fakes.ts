import { create } from "@bufbuild/protobuf";
import type {
  Classification,
  Places,
  PoolAnalyzeOptions,
  TextAnalysis,
  TextAnalyst,
  TextualAnalysis,
  Topic,
  VisualAnalysis,
} from "@hourglass/analysis";
import {
  type FileAnalysisRequest,
  type FileAnalyst,
  type FileContent,
  type FileFindings,
  UnusableFileError,
} from "@hourglass/analysis/files";
import {
  ClaimFilesResponseSchema,
  DeleteFilesResponseSchema,
  ReleaseFilesResponseSchema,
} from "@hourglass/proto/media/v1/media_service";
import { AppError } from "@hourglass/runtime";
import type { Media } from "../media.js";

/** Claims, as kept by the media service. */
export class FakeMedia {
  /** File ids by operation id. */
  readonly claims = new Map<bigint, readonly bigint[]>();
  claimFailure: AppError | undefined;
  /** Awaited once a claim is made, before it is answered. */
  answering: (() => Promise<void>) | undefined;
  releaseFailure: AppError | undefined;
  deleteFailure: AppError | undefined;
  /** Allows several operations to claim the same file. */
  shareClaims = false;

  readonly client: Media["client"] = {
    claimFiles: async ({ operationId = 0n, fileIds = [] }) => {
      if (this.claimFailure !== undefined) throw this.claimFailure;
      const others = [...this.claims].filter(([id]) => id !== operationId).map(([, ids]) => ids);
      const used = fileIds.findIndex((id) => others.some((ids) => ids.includes(id)));
      if (used >= 0 && !this.shareClaims) {
        throw AppError.invalid([{ field: `file_ids[${used}]`, message: "is used" }]);
      }
      this.claims.set(operationId, fileIds);
      await this.answering?.();
      return create(ClaimFilesResponseSchema);
    },
    releaseFiles: ({ operationId = 0n }) => {
      if (this.releaseFailure !== undefined) return Promise.reject(this.releaseFailure);
      this.claims.delete(operationId);
      return Promise.resolve(create(ReleaseFilesResponseSchema));
    },
    deleteFiles: ({ operationId = 0n }) => {
      if (this.deleteFailure !== undefined) return Promise.reject(this.deleteFailure);
      this.claims.delete(operationId);
      return Promise.resolve(create(DeleteFilesResponseSchema));
    },
  };

  /** The dependency given to the operation service. */
  readonly seen: Media = { client: this.client, serviceTokens: { call: (_, work) => work("token of a service") } };
}

/** A pool whose outcomes depend only on the text, and that can be blocked or made to fail. */
export class StubPool implements TextAnalyst {
  /** The arguments of each call, in order. */
  readonly calls: { texts: readonly string[]; analyses: readonly TextualAnalysis[]; explain: boolean }[] = [];
  /** Called before each answer; may wait or throw. */
  before: (texts: readonly string[]) => Promise<void> | void = () => undefined;

  async analyze(
    texts: readonly string[],
    analyses: readonly TextualAnalysis[],
    { explain = false, language, signal, onTimed }: PoolAnalyzeOptions = {},
  ): Promise<TextAnalysis[]> {
    this.calls.push({ texts, analyses, explain });
    const held = this.before(texts);
    if (held !== undefined) await unlessAborted(held, signal);
    for (const analysis of analyses) onTimed?.({ analysis, engine: "stub", seconds: 0.001 });
    return texts.map((text) => ({
      ...outcomeOf(text, analyses, explain),
      ...(language === undefined ? {} : { language }),
    }));
  }
}

async function unlessAborted(work: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => (stop = () => reject(signal?.reason as Error)));
  signal?.addEventListener("abort", stop);
  await Promise.race([work, aborted]).finally(() => signal?.removeEventListener("abort", stop));
}

/** A text that contains `UNREADABLE` yields errors; one that begins with `Ich` is German, which no model supports. */
function outcomeOf(text: string, analyses: readonly TextualAnalysis[], explain: boolean): TextAnalysis {
  const german = text.startsWith("Ich");
  const [models, supported]: [TextAnalysis["models"], TextAnalysis["supported"]] = [{}, {}];
  const outcome: TextAnalysis = { results: {}, errors: {}, models, language: german ? "de" : "en", supported };
  for (const type of analyses) {
    models[type] = { id: `${type}-stub`, version: "1" };
    supported[type] = !german;
    if (text.includes("UNREADABLE")) outcome.errors[type] = "nothing to read";
    else if (type === "topic") outcome.results.topic = [topicOf(text, explain)];
    else if (type === "personality-mb") {
      outcome.results[type] = { value: "ENTP", prob1: lengthScore(text), prob2: 0.6, prob3: 0.7, prob4: 0.8 };
    } else outcome.results[type] = classificationOf(text, explain);
  }
  return outcome;
}

function topicOf(value: string, explain: boolean): Topic {
  const offsets = explain ? { offsets: [wholeOf(value)] } : {};
  return { value, topic_type: "noun-chunk", sub_type: "NOUN", ...offsets };
}

function classificationOf(text: string, explain: boolean): Classification {
  const [value, prob] = [valueOf(text), lengthScore(text)];
  if (!explain) return { value, prob };
  const spans = [{ ...wholeOf(text), text, weight: -0.5 }];
  return { value, prob, explanation: { probabilities: { [value]: prob, other: 0.25 }, spans } };
}

/** The whole text, in code points. */
function wholeOf(text: string): { start: number; end: number } {
  return { start: 0, end: Array.from(text).length };
}

/** A score by which a test recognizes the text of a result. */
export function lengthScore(text: string): number {
  return Number(`0.${String(text.length).padStart(4, "0")}`);
}

function valueOf(text: string): string {
  return `about ${text.slice(0, 20)}`;
}

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

  async analyze(content: FileContent, request: FileAnalysisRequest): Promise<FileFindings> {
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
  if (says.includes("RATED")) findings.nsfw = { score: 0.25, model: MODEL, ...(hasSound ? { at: 1.5 } : {}) };
  if (says.includes("UNRATABLE")) findings.nsfw = { error: "its model is missing" };
  const [spoken = "", printed = ""] = says.split("|");
  if (words && hasSound) findings.transcript = transcriptOf(spoken);
  if (words && hasPictures) findings.reading = readingOf(hasSound ? printed : spoken);
  return findings;
}

function readingOf(text: string): NonNullable<FileFindings["reading"]> {
  if (!text.endsWith("FOREIGN")) return { text, model: MODEL };
  const unread = [{ script: "Thai", box: [0.1, 0.05, 0.2, 0.1, 0.97] as const }];
  return { text: text.slice(0, -"FOREIGN".length).trim(), unread, model: MODEL };
}

function transcriptOf(text: string): NonNullable<FileFindings["transcript"]> {
  if (text === "MUMBLING") return { text: "", segments: [], unclearSeconds: 1.5, model: MODEL };
  if (text === "ENGLISH ONLY") return { text: "", segments: [], unclearSeconds: 1.5, onlyEnglish: true, model: MODEL };
  if (text.startsWith("buenos")) {
    const language = "es";
    return { text, segments: [{ start: 0, end: 1.5, text, language }], language, supported: true, model: MODEL };
  }
  const unclear = text.endsWith("MUMBLING") ? { unclearSeconds: 2.5 } : {};
  return { text, segments: [{ start: 0, end: 1.5, text, language: "en" }], ...unclear, model: MODEL };
}

function addVisual(findings: FileFindings, analysis: VisualAnalysis, says: string): void {
  if (says.includes("NOTHING")) {
    findings.errors[analysis] = "the model is missing";
    return;
  }
  findings.models[analysis] = MODEL;
  if (analysis === "caption") findings.results.caption = [{ description: `a picture of ${says}` }];
  else {
    const places: Places = says.includes("PLACED") ? { count: 1, boxes: [[0, 0.25, 0.5, 0.75, 0.9]] } : {};
    const isFilm = findings.facts.hasSound;
    const at = "count" in places ? { at: 0, ...places } : {};
    findings.results[analysis] = [
      { value: says, prob: 0.9, ...(isFilm ? { moments: [{ start: 0, end: 2, ...at }] } : places) },
    ];
  }
}
