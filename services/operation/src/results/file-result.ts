import type { TextualAnalysis, VisualAnalysis } from "@hourglass/analysis";
import {
  type Content,
  ContentErrorCode,
  type ContentResult,
  Dimension,
  Source,
} from "@hourglass/proto/operation/v1/operation";
import { type FileOutcome, isFileOutcome, TEXT_SOURCES, type TextSource } from "../records/operation.js";
import type { FileFindings } from "@hourglass/analysis/files";
import { type FoundResults, ResultList } from "./result-plan.js";
import { isTextual } from "./text-result.js";
import { toModel } from "./textual-messages.js";
import { toTranscript, toVisualData } from "./visual-messages.js";
import { analysisTypeOf } from "./wire-values.js";

const SOURCES: Record<TextSource, Source> = { transcript: Source.TRANSCRIPT, ocr: Source.OCR };
/** The analysis that extracts the words of each source, as named in findings. */
const MADE_BY = { transcript: "transcript", ocr: "reading" } as const satisfies Record<TextSource, string>;

const LOST = "what became of the file could not be read";

type ReadFile = Extract<FileOutcome, { findings: FileFindings }>;

/** The result of a file as callers read it. */
export function toFileResult(content: Content, found: FoundResults): ContentResult {
  const { plan, outcome } = found;
  const list = new ResultList(plan);
  const result: ContentResult = {
    $typeName: "hourglass.operation.v1.ContentResult",
    type: plan.type,
    content,
    dimensions: [],
    analysisTypes: plan.analyses.map(analysisTypeOf),
    analyses: list.analyses,
    ...list.failure,
  };
  if (outcome === undefined || !isFileOutcome(outcome)) list.addError(LOST, ContentErrorCode.ANALYSIS_FAILED);
  else if ("unreadable" in outcome) list.addError(outcome.unreadable, ContentErrorCode.UNREADABLE);
  else addFindings(result, list, { ...found, file: outcome });
  return Object.assign(result, list.failure);
}

interface FoundFile extends FoundResults {
  file: ReadFile;
}

function addFindings(result: ContentResult, list: ResultList, found: FoundFile): void {
  const { plan, file } = found;
  const { transcript, reading } = file.findings;
  result.dimensions = dimensionsOf(file.findings);
  if (transcript !== undefined) result.transcript = toTranscript(transcript);
  if (reading !== undefined) result.ocrText = reading.text;
  const applying = plan.analyses.filter((name) => isTextual(name) || file.findings.facts.hasPictures);
  // The list must not be empty; if no analysis applies, the error says so.
  if (applying.length > 0) result.analysisTypes = applying.map(analysisTypeOf);
  for (const name of plan.analyses) {
    if (isTextual(name)) addTextual(name, list, found);
    else addVisual(name, list, file.findings);
  }
}

/** The dimensions of the file, in the terms of the interface. */
function dimensionsOf({ facts }: FileFindings): Dimension[] {
  const dimensions: Dimension[] = [];
  if (facts.hasPictures) dimensions.push(pictureDimension(facts));
  if (facts.hasSound) dimensions.push(Dimension.AUDIAL);
  return dimensions;
}

function pictureDimension({ format }: FileFindings["facts"]): Dimension {
  if (format === "gif") return Dimension.VISUAL_GIF;
  return format === "mp4" ? Dimension.VISUAL_VIDEO : Dimension.VISUAL_IMAGE;
}

function addVisual(type: VisualAnalysis, list: ResultList, findings: FileFindings): void {
  if (!findings.facts.hasPictures) {
    list.addError("not applicable to sound", ContentErrorCode.NOT_APPLICABLE, type);
    return;
  }
  const data = toVisualData(type, findings);
  if (data === undefined) {
    list.addError(findings.errors[type] ?? "could not be made", ContentErrorCode.ANALYSIS_FAILED, type);
    return;
  }
  const model = findings.models[type];
  list.analyses.push({
    $typeName: "hourglass.operation.v1.Analysis",
    source: Source.CONTENT,
    type: analysisTypeOf(type),
    dimension: pictureDimension(findings.facts),
    data,
    ...(model === undefined ? {} : { model: toModel(model) }),
    language: "",
  });
}

function addTextual(type: TextualAnalysis, list: ResultList, found: FoundFile): void {
  const { plan, file, groups } = found;
  const sources = TEXT_SOURCES.filter((source) => file.texts[source] !== undefined);
  if (type === "personality-mb" && groups.length > 0) {
    const dimension = dimensionsOfWords(file.findings, sources[0]);
    for (const group of groups) {
      const groupIndex = plan.named ? group : undefined;
      list.takeText(type, { source: Source.GROUP, grouped: true, groupIndex, dimension, outcome: plan.groups[group] });
    }
    return;
  }
  for (const source of sources) {
    const dimension = dimensionsOfWords(file.findings, source);
    list.takeText(type, { source: SOURCES[source], dimension, outcome: file.texts[source] });
  }
  const code = codeOfWords(file.findings);
  if (sources.length === 0) list.addError(whyWithoutWords(file.findings), code, type);
  else for (const reason of reasonsOf(file.findings)) list.addError(reason, code);
}

function dimensionsOfWords({ facts }: FileFindings, source: TextSource | undefined): Dimension {
  return facts.hasSound && source !== "ocr" ? Dimension.AUDIAL : pictureDimension(facts);
}

/** Error code for missing words. */
function codeOfWords({ errors, transcript }: FileFindings): ContentErrorCode {
  if (Object.values(MADE_BY).some((maker) => errors[maker] !== undefined)) return ContentErrorCode.ANALYSIS_FAILED;
  return transcript?.unclearSeconds === undefined ? ContentErrorCode.NOT_APPLICABLE : ContentErrorCode.SPEECH_UNCLEAR;
}

/** Reasons why words are missing. */
function reasonsOf({ errors, transcript }: Pick<FileFindings, "errors" | "transcript">): string[] {
  const unclear = transcript === undefined ? undefined : whatIsUnclear(transcript);
  const reasons = { ...(unclear === undefined ? {} : { transcript: unclear }), ...errors };
  return TEXT_SOURCES.flatMap((source) => {
    const reason = reasons[MADE_BY[source]];
    return reason === undefined ? [] : [`${source}: ${reason}`];
  });
}

function whatIsUnclear({ text, unclearSeconds }: NonNullable<FileFindings["transcript"]>): string | undefined {
  if (unclearSeconds === undefined) return undefined;
  return text === ""
    ? "somebody speaks in it, but not so that it could be understood; only English can"
    : `${unclearSeconds} s of speech are left out, which could not be understood; only English can`;
}

/** Why the textual analyses have no input: an extraction failed, or there are no words. */
function whyWithoutWords(findings: FileFindings): string {
  const { facts } = findings;
  const reasons = reasonsOf(findings);
  if (reasons.length > 0) return reasons.join("; ");
  if (!facts.hasSound) return "nothing is written in it";
  return facts.hasPictures ? "nobody speaks in it, and nothing is written in it" : "nobody speaks in it";
}
