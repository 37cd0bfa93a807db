import type { VisualAnalysis } from "@hourglass/analysis";
import { type FileAnalyst, type FileFindings, UnusableFileError } from "@hourglass/analysis/files";
import type { PostingResults, Subject } from "./posting-results.js";

const ANALYSES = ["face-id", "object-id", "activity-id", "logo-id"] as const satisfies VisualAnalysis[];
/** Platforms whose rules forbid the recognition of faces in what they publish. */
const FACELESS = ["twitter"];

export interface AnalyseMediaDeps {
  files: FileAnalyst;
  onTimed: (timing: { analysis: string; engine: string; seconds: number }) => void;
}

/**
 * Analyses the media of a posting and returns the words spoken in them. One that cannot be read is noted and
 * leaves the others as they are.
 */
export async function analyseMedia(
  deps: AnalyseMediaDeps,
  { posting, insight }: Subject,
  { into, signal }: { into: PostingResults; signal: AbortSignal },
): Promise<string> {
  const { dimensions } = insight.query;
  const labels = new Set<string>();
  const spoken: string[] = [];
  const request = {
    companyId: posting.companyId,
    analyses: dimensions.includes("visual") ? analysesFor(posting.platform) : [],
    words: dimensions.includes("audial"),
    signal,
    onTimed: ({ analysis, seconds }: { analysis: string; seconds: number }) =>
      deps.onTimed({ analysis, engine: "media", seconds }),
  };
  const looks = (posting.content.media ?? []).map(async (url) => {
    try {
      return await deps.files.analyse({ kind: "url", value: url }, request);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof UnusableFileError) into.unusable[url] = error.message;
      else into.errors[url] = "It could not be analysed on our side.";
      return undefined;
    }
  });
  for (const [index, findings] of (await Promise.all(looks)).entries()) {
    if (findings === undefined) continue;
    labelsOf(findings).forEach((label) => labels.add(label));
    if (request.words) spoken.push(findings.transcript?.text.trim() ?? "");
    noteMissing(into, posting.content.media?.[index] ?? "", findings);
  }
  into.labels = [...labels];
  return spoken.filter((text) => text !== "").join("\n");
}

function analysesFor(platform: string): VisualAnalysis[] {
  return ANALYSES.filter((analysis) => analysis !== "face-id" || !FACELESS.includes(platform));
}

function labelsOf({ results }: FileFindings): string[] {
  return ANALYSES.flatMap((analysis) => results[analysis] ?? []).map(({ value }) => value);
}

/**
 * Names a part that was not found out, for example for lack of the speech model. The analyst would have rejected if
 * another attempt could help. Reading print is asked for together with speech, and of no use here.
 */
function noteMissing(into: PostingResults, url: string, { errors }: FileFindings): void {
  const [first] = Object.entries(errors).filter(([name]) => name !== "reading");
  if (first !== undefined) into.unusable[url] = `${first[0]}: ${first[1]}`;
}
