import { type PlacedBox, TEXTUAL_ANALYSES, type TextualAnalysis, type VisualAnalysis } from "@hourglass/analysis";
import type { FileFindings } from "@hourglass/analysis/files";
import {
  type Analysis,
  AnalysisType,
  type Content,
  ContentErrorCode,
  type ContentResult,
  Dimension,
  OperationType,
  Source,
  UnsupportedReason,
} from "@hourglass/proto/operation/v1/operation";
import { groupsToAnalyze, membershipsOf } from "./groups.js";
import {
  analysisTypeOf,
  makingOf,
  toModel,
  toNsfwRating,
  toTextualData,
  toTranscript,
  toUnreadWriting,
  toVisualData,
  wireTypeOf,
} from "./messages.js";
import {
  analysesOf,
  type AnalysisName,
  type ContentOutcome,
  type FileOutcome,
  isFileOutcome,
  NO_WORDS,
  type OperationRecord,
  TEXT_SOURCES,
  type TextOutcome,
  type TextSource,
} from "./store.js";

/** Consecutive contents of a done operation, and what was found in them. */
export interface FoundContents {
  /** Index of the first content in the operation. */
  first: number;
  contents: Content[];
  outcomes: readonly ContentOutcome[];
  /** Outcomes of all groups of the operation. */
  groups: readonly TextOutcome[];
}

/**
 * The results of some contents of a done operation as its callers read them, as those of all of them would have them:
 * per content, analyses in the order of the request.
 */
export function toContentResults(record: OperationRecord, found: FoundContents): ContentResult[] {
  const { first, contents, outcomes, groups } = found;
  const requested = analysesOf(record);
  const isKnown = (name: (typeof requested)[number]) => analysisTypeOf(name) !== AnalysisType.UNSPECIFIED;
  const plan: ResultPlan = {
    type: wireTypeOf(record.kind),
    analyses: requested.filter(isKnown),
    unknown: requested.filter((name) => !isKnown(name)),
    named: record.groups !== null,
    groups,
  };
  const memberships = membershipsOf(groupsToAnalyze(record), record.contentsCount);
  const toResult = plan.type === OperationType.FILE ? toFileResult : toTextResult;
  return contents.map((content, offset) =>
    toResult(content, { plan, outcome: outcomes[offset], groups: memberships[first + offset] ?? [] }),
  );
}

/** Data shared by the results of all contents of an operation. */
interface ResultPlan {
  type: OperationType;
  /** Analyses of a newer release that this one cannot read. */
  unknown: readonly string[];
  /** The known analyses, in the order of the request. */
  analyses: readonly AnalysisName[];
  /** Whether the request named groups; the one group of all contents has no index. */
  named: boolean;
  groups: readonly TextOutcome[];
}

/** The findings for one content. */
interface FoundResults {
  plan: ResultPlan;
  outcome: ContentOutcome | undefined;
  /** Groups that contain this content. */
  groups: readonly number[];
}

/** Results of one content, and reasons for missing ones. */
export class ResultList {
  readonly analyses: Analysis[] = [];
  /** The analyses that each reason is about; none: it is about the content. */
  private readonly errors = new Map<string, string[]>();
  private mostSevere = ContentErrorCode.UNSPECIFIED;

  constructor({ unknown }: ResultPlan) {
    for (const name of unknown) {
      this.addError("not known to this version of the server", ContentErrorCode.UNKNOWN_ANALYSIS, name);
    }
  }

  /** Reasons for missing results as text, and the most severe reason as a code. */
  get failure(): Pick<ContentResult, "error" | "errorCode"> {
    const sentences = [...this.errors].map(([reason, names]) => [names.join(", "), reason].filter(Boolean).join(": "));
    return { error: sentences.join("; "), errorCode: this.mostSevere };
  }

  /** Adds the analysis of a text, or the reason why it is missing. */
  addText(type: TextualAnalysis, origin: TextOrigin): void {
    const { outcome, grouped = false, groupIndex, source, dimension } = origin;
    const data = toTextualData(type, { outcome, grouped });
    if (data === undefined) {
      this.addError(outcome?.errors[type] ?? "could not be made", codeOfText(type, outcome), type);
      return;
    }
    this.analyses.push({
      $typeName: "hourglass.operation.v1.Analysis",
      source,
      type: analysisTypeOf(type),
      dimension,
      ...(groupIndex === undefined ? {} : { groupIndex }),
      data,
      ...makingOf(type, outcome),
    });
  }

  /** A reason is given once, for all analyses that it is about. */
  addError(reason: string, code: ContentErrorCode, analysis?: string): void {
    const names = this.errors.get(reason) ?? [];
    if (analysis !== undefined && !names.includes(analysis)) names.push(analysis);
    this.errors.set(reason, names);
    if (SEVERITY.indexOf(code) < SEVERITY.indexOf(this.mostSevere)) this.mostSevere = code;
  }
}

/** The most severe first. */
const SEVERITY: readonly ContentErrorCode[] = [
  ContentErrorCode.UNREADABLE,
  ContentErrorCode.ANALYSIS_FAILED,
  ContentErrorCode.UNKNOWN_ANALYSIS,
  ContentErrorCode.SPEECH_UNCLEAR,
  ContentErrorCode.UNSUPPORTED_SCRIPT,
  ContentErrorCode.NOT_APPLICABLE,
  ContentErrorCode.UNSPECIFIED,
];

/** The text that an outcome belongs to. */
interface TextOrigin {
  outcome: TextOutcome | undefined;
  source: Source;
  dimension: Dimension;
  grouped?: boolean;
  /** Index of a group that the request named. */
  groupIndex?: number | undefined;
}

/** The code of the reason why a text, or the text of a group, has no result. */
function codeOfText(type: keyof TextOutcome["errors"], outcome: TextOutcome | undefined): ContentErrorCode {
  return outcome?.errors[type] === NO_WORDS ? ContentErrorCode.NOT_APPLICABLE : ContentErrorCode.ANALYSIS_FAILED;
}

const OWN = { source: Source.CONTENT, dimension: Dimension.TEXTUAL };

/** The result of a text as callers read it. Visual analyses do not apply to it. */
function toTextResult(content: Content, { plan, outcome, groups }: FoundResults): ContentResult {
  const list = new ResultList(plan);
  const own = outcome === undefined || isFileOutcome(outcome) ? undefined : outcome;
  const analyses = plan.analyses.filter(isTextual);
  for (const type of analyses) {
    if (type !== "personality-mb" || groups.length === 0) {
      list.addText(type, { ...OWN, outcome: own });
      continue;
    }
    for (const group of groups) {
      const groupIndex = plan.named ? group : undefined;
      const pooled = { ...OWN, source: Source.GROUP, grouped: true, groupIndex };
      list.addText(type, { ...pooled, outcome: plan.groups[group] });
    }
  }
  return {
    $typeName: "hourglass.operation.v1.ContentResult",
    type: plan.type,
    content,
    dimensions: [Dimension.TEXTUAL],
    analysisTypes: analyses.map(analysisTypeOf),
    analyses: list.analyses,
    unreadWriting: [],
    ...list.failure,
  };
}

function isTextual(name: AnalysisName): name is TextualAnalysis {
  return (TEXTUAL_ANALYSES as readonly string[]).includes(name);
}

const SOURCES: Record<TextSource, Source> = { transcript: Source.TRANSCRIPT, ocr: Source.OCR };
/** The analysis that extracts the words of each source, as named in findings. */
const MADE_BY = { transcript: "transcript", ocr: "reading" } as const satisfies Record<TextSource, string>;

const LOST = "what became of the file could not be read";

type ReadFile = Extract<FileOutcome, { findings: FileFindings }>;

/** The result of a file as callers read it. */
function toFileResult(content: Content, found: FoundResults): ContentResult {
  const { plan, outcome } = found;
  const list = new ResultList(plan);
  const result: ContentResult = {
    $typeName: "hourglass.operation.v1.ContentResult",
    type: plan.type,
    content,
    dimensions: [],
    analysisTypes: plan.analyses.map(analysisTypeOf),
    analyses: list.analyses,
    unreadWriting: [],
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
  result.unreadWriting = (reading?.unread ?? []).map(toUnreadWriting);
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
    unsupportedReason: UnsupportedReason.UNSPECIFIED,
    ...(type === "object-id" && findings.nsfw !== undefined ? { nsfw: toNsfwRating(findings.nsfw) } : {}),
  });
}

function addTextual(type: TextualAnalysis, list: ResultList, found: FoundFile): void {
  const { plan, file, groups } = found;
  const sources = TEXT_SOURCES.filter((source) => file.texts[source] !== undefined);
  if (type === "personality-mb" && groups.length > 0) {
    const dimension = dimensionsOfWords(file.findings, sources[0]);
    for (const group of groups) {
      const groupIndex = plan.named ? group : undefined;
      list.addText(type, { source: Source.GROUP, grouped: true, groupIndex, dimension, outcome: plan.groups[group] });
    }
    return;
  }
  for (const source of sources) {
    const dimension = dimensionsOfWords(file.findings, source);
    list.addText(type, { source: SOURCES[source], dimension, outcome: file.texts[source] });
  }
  const code = codeOfWords(file.findings);
  if (sources.length === 0) list.addError(whyWithoutWords(file.findings), code, type);
  else for (const reason of reasonsOf(file.findings)) list.addError(reason, code);
}

function dimensionsOfWords({ facts }: FileFindings, source: TextSource | undefined): Dimension {
  return facts.hasSound && source !== "ocr" ? Dimension.AUDIAL : pictureDimension(facts);
}

/** Error code for missing words. */
function codeOfWords({ errors, transcript, reading }: FileFindings): ContentErrorCode {
  if (Object.values(MADE_BY).some((maker) => errors[maker] !== undefined)) return ContentErrorCode.ANALYSIS_FAILED;
  if (transcript?.unclearSeconds !== undefined) return ContentErrorCode.SPEECH_UNCLEAR;
  return reading?.unread === undefined ? ContentErrorCode.NOT_APPLICABLE : ContentErrorCode.UNSUPPORTED_SCRIPT;
}

/** Reasons why words are missing. */
function reasonsOf({ errors, transcript, reading }: Pick<FileFindings, "errors" | "transcript" | "reading">): string[] {
  const unclear = transcript === undefined ? undefined : whatIsUnclear(transcript);
  const unread = reading === undefined ? undefined : whatIsUnread(reading);
  const reasons = {
    ...(unclear === undefined ? {} : { transcript: unclear }),
    ...(unread === undefined ? {} : { reading: unread }),
    ...errors,
  };
  return TEXT_SOURCES.flatMap((source) => {
    const reason = reasons[MADE_BY[source]];
    return reason === undefined ? [] : [`${source}: ${reason}`];
  });
}

function whatIsUnclear({
  text,
  unclearSeconds,
  onlyEnglish,
}: NonNullable<FileFindings["transcript"]>): string | undefined {
  if (unclearSeconds === undefined) return undefined;
  const what =
    text === ""
      ? "somebody speaks in it, but not so that it could be understood"
      : `${unclearSeconds} s of speech are left out, which could not be understood`;
  return onlyEnglish === true ? `${what}; ${ONLY_ENGLISH}` : what;
}

const ONLY_ENGLISH = "only English can, without the model for other languages: npm run models -- pull speech-languages";

/** What is written in scripts that cannot be read, with the place of the largest line of each. */
function whatIsUnread({ text, unread = [] }: NonNullable<FileFindings["reading"]>): string | undefined {
  const scripts = [...new Map(unread.toReversed().map((line) => [line.script, line.box])).entries()].toReversed();
  if (scripts.length === 0) return undefined;
  const places = scripts.map(([script, box]) => `${script} (${placeOf(box)})`).join(" and in ");
  return `there is ${text === "" ? "" : "also "}writing in ${places} that cannot be read`;
}

/** Where in a picture a box is, in words. */
function placeOf([x, y, width, height]: PlacedBox): string {
  const third = (middle: number): number => Math.min(2, Math.floor(middle * 3));
  const row = ["top", "middle", "bottom"][third(y + height / 2)];
  const column = ["left", "center", "right"][third(x + width / 2)];
  if (column === "center") return row === "middle" ? "in the middle" : `at the ${row}`;
  return row === "middle" ? `at the ${column}` : `at the ${row} ${column}`;
}

/** Why the textual analyses have no input: an extraction failed, or there are no words. */
function whyWithoutWords(findings: FileFindings): string {
  const { facts } = findings;
  const reasons = reasonsOf(findings);
  if (reasons.length > 0) return reasons.join("; ");
  if (!facts.hasSound) return "nothing is written in it";
  return facts.hasPictures ? "nobody speaks in it, and nothing is written in it" : "nobody speaks in it";
}
