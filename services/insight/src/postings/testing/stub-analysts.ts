import type { PoolAnalyzeOptions, TextAnalysis, TextAnalyst, TextualAnalysis, Topic } from "@hourglass/analysis";
import {
  type FileAnalysisRequest,
  type FileAnalyst,
  type FileContent,
  type FileFindings,
  UnusableFileError,
} from "@hourglass/analysis/files";

/** Outcomes that depend only on the text; `POISON` in a text yields errors. */
export class StubTexts implements TextAnalyst {
  readonly calls: { texts: readonly string[]; owner: PoolAnalyzeOptions["owner"]; background: boolean | undefined }[] =
    [];
  /** Called before each answer; may wait or throw. */
  before: (texts: readonly string[], signal: AbortSignal | undefined) => Promise<void> | void = () => undefined;
  /** Of the models. */
  version = "1";
  /** Results in the place of those that follow from the text. */
  resultsOf: (text: string) => TextAnalysis["results"] = () => ({});

  async analyze(
    texts: readonly string[],
    analyses: readonly TextualAnalysis[],
    { owner, background, signal }: PoolAnalyzeOptions = {},
  ): Promise<TextAnalysis[]> {
    this.calls.push({ texts, owner, background });
    await this.before(texts, signal);
    return texts.map((text) => {
      const outcome = outcomeOf(text, analyses);
      const models = Object.fromEntries(analyses.map((type) => [type, { id: "stub", version: this.version }]));
      return { ...outcome, models, results: { ...outcome.results, ...this.resultsOf(text) } };
    });
  }
}

function outcomeOf(text: string, analyses: readonly TextualAnalysis[]): TextAnalysis {
  const outcome: TextAnalysis = { results: {}, errors: {}, models: {}, language: "en", supported: {} };
  for (const type of analyses) {
    if (text.includes("POISON")) outcome.errors[type] = "the analysis thread failed on this text";
    else if (type === "topic") outcome.results.topic = capitalized(text);
    else if (type !== "personality-mb") outcome.results[type] = { value: `${type} of ${text}`, prob: 0.5 };
  }
  return outcome;
}

function capitalized(text: string): Topic[] {
  const words = text.match(/\b[A-Z][a-z]+/g) ?? [];
  return words.map((value) => ({ value, topic_type: "entity", sub_type: "PRODUCT" }));
}

/** Media whose URL tells what is in them; `gone` in a URL cannot be fetched, the speech in `unheard` has no model. */
export class StubFiles implements FileAnalyst {
  readonly requests: { url: string; request: FileAnalysisRequest }[] = [];

  async analyze({ value }: FileContent, request: FileAnalysisRequest): Promise<FileFindings> {
    const url = String(value);
    this.requests.push({ url, request });
    if (url.includes("gone")) throw new UnusableFileError("The site did not answer.");
    const findings: FileFindings = {
      facts: { format: "mp4", hasSound: true, hasPictures: true },
      results: Object.fromEntries(request.analyses.map((type) => [type, [{ value: `${type} seen`, prob: 0.9 }]])),
      errors: {},
      models: {},
    };
    if (url.includes("unheard")) return { ...findings, errors: { transcript: "The model is not here." } };
    const model = { id: "stub", version: "1" };
    return request.words ? { ...findings, transcript: { text: `spoken in ${url}`, segments: [], model } } : findings;
  }
}
