import type {
  Analysis,
  Caption,
  Classification,
  Content,
  ContentResult,
  Explanation,
  TimeSpan,
  Transcript,
} from "@hourglass/proto/operation/v1/operation";
import { ContentErrorCode } from "@hourglass/proto/operation/v1/operation";
import { ANALYSIS_TYPE, CONTENT_ERROR_CODE, DIMENSION, OPERATION_TYPE, SOURCE } from "./spelling.js";

/** A content as given; null if only a newer server knows its kind. */
export function fromContent({ value }: Content): string | number | null {
  if (value.case === undefined) return null;
  return value.case === "fileId" ? Number(value.value) : value.value;
}

/** The content object of the interface. */
export function fromContentResult(result: ContentResult): unknown {
  const analysisTypes = ANALYSIS_TYPE.all(result.analysisTypes);
  return {
    type: OPERATION_TYPE.of(result.type),
    content: result.content === undefined ? null : fromContent(result.content),
    dimensions: DIMENSION.all(result.dimensions),
    // The interface has both spellings.
    analysis_type: analysisTypes,
    analysis_types: analysisTypes,
    analyses: result.analyses.map(fromAnalysis),
    transcript: result.transcript === undefined ? undefined : fromTranscript(result.transcript),
    ocr_text: result.ocrText,
    ...(result.error === "" ? undefined : { error: result.error, error_code: codeOf(result) }),
  };
}

/** Undefined if a service of an older release made the result. */
function codeOf({ errorCode }: ContentResult): string | undefined {
  return errorCode === ContentErrorCode.UNSPECIFIED ? undefined : CONTENT_ERROR_CODE.of(errorCode);
}

/** `JSON.stringify` omits undefined fields, which here and below is cheaper than objects of many shapes. */
function fromAnalysis(analysis: Analysis): unknown {
  const { model, language, supported } = analysis;
  return {
    source: SOURCE.of(analysis.source),
    type: ANALYSIS_TYPE.of(analysis.type),
    dimension: DIMENSION.of(analysis.dimension),
    group_index: analysis.groupIndex ?? null,
    data: fromAnalysisData(analysis.data),
    // Results of older releases lack these fields.
    model: model === undefined ? undefined : { id: model.id, version: model.version },
    language: language === "" ? undefined : language,
    supported,
  };
}

function fromAnalysisData(data: Analysis["data"]): unknown {
  switch (data.case) {
    case "classification":
      return fromClassification(data.value);
    case "topics":
      return data.value.topics.map(({ value, topicType, subType, offsets }) => ({
        value,
        topic_type: topicType,
        sub_type: subType ?? null,
        offsets: offsets.length === 0 ? undefined : offsets.map(({ start, end }) => ({ start, end })),
      }));
    case "personality": {
      const { value, prob1, prob2, prob3, prob4, group } = data.value;
      return { value, prob1, prob2, prob3, prob4, group };
    }
    case "detections":
      return data.value.detections.map(fromDetection);
    case "captions":
      return data.value.captions.map(fromCaption);
    default:
      return null;
  }
}

function fromClassification({ value, prob, explanation }: Classification): unknown {
  return { value, prob, explanation: explanation === undefined ? undefined : fromExplanation(explanation) };
}

function fromExplanation({ probabilities, spans }: Explanation): unknown {
  return {
    probabilities,
    spans: spans.map(({ start, end, text, weight }) => ({ start, end, text, weight })),
  };
}

function fromDetection({ value, prob, moments }: Classification): unknown {
  return { value, prob, moments: moments.length === 0 ? undefined : moments.map(fromTimeSpan) };
}

function fromTimeSpan({ start, end }: TimeSpan): { start: number; end: number } {
  return { start, end };
}

function fromTranscript({ text, segments, model }: Transcript): unknown {
  return {
    text,
    segments: segments.map(({ span, text: said }) => ({ ...(span && fromTimeSpan(span)), text: said })),
    model: model === undefined ? undefined : { id: model.id, version: model.version },
  };
}

function fromCaption({ description, duration, descriptions }: Caption): unknown {
  return {
    description: description ?? null,
    duration: duration ?? null,
    descriptions:
      descriptions.length === 0
        ? null
        : descriptions.map((moment) => ({ timestamp: moment.timestamp, description: moment.description })),
  };
}

const RESULT_BYTES = 200;
const LABEL_BYTES = 24;
const SPAN_BYTES = 100;
const TOPIC_BYTES = 80;
const OFFSET_BYTES = 24;
const MOMENT_BYTES = 32;
const SEGMENT_BYTES = 40;

/** Approximate size of the results of one content in bytes. */
export function approximateResultSize({ analyses, transcript, ocrText = "" }: ContentResult): number {
  let bytes = RESULT_BYTES * (1 + analyses.length) + ocrText.length;
  if (transcript !== undefined) bytes += 2 * transcript.text.length + SEGMENT_BYTES * transcript.segments.length;
  for (const { data } of analyses) bytes += sizeOfData(data);
  return bytes;
}

/** Additional size of a result beyond the size common to all. */
function sizeOfData(data: Analysis["data"]): number {
  let bytes = 0;
  if (data.case === "topics") {
    for (const { offsets } of data.value.topics) bytes += TOPIC_BYTES + OFFSET_BYTES * offsets.length;
  } else if (data.case === "detections") {
    for (const { moments } of data.value.detections) bytes += LABEL_BYTES + MOMENT_BYTES * moments.length;
  } else if (data.case === "captions") {
    for (const { descriptions } of data.value.captions) bytes += SPAN_BYTES * descriptions.length;
  } else if (data.case === "classification" && data.value.explanation !== undefined) {
    const { probabilities, spans } = data.value.explanation;
    bytes += LABEL_BYTES * Object.keys(probabilities).length;
    for (const { text } of spans) bytes += SPAN_BYTES + text.length;
  }
  return bytes;
}
