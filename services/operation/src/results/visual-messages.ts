import type { Caption, Detection, Moment, Transcript, VisualAnalysis } from "@hourglass/analysis";
import type {
  Analysis,
  Caption as CaptionMessage,
  Classification as DetectionMessage,
  TimeSpan,
  Transcript as TranscriptMessage,
} from "@hourglass/proto/operation/v1/operation";
import type { FileFindings } from "@hourglass/analysis/files";
import { toModel } from "./textual-messages.js";

/** The result of a visual analysis as a message; undefined if there is none. */
export function toVisualData(
  type: VisualAnalysis,
  { results }: Pick<FileFindings, "results">,
): Analysis["data"] | undefined {
  if (type === "caption") {
    const captions = results.caption?.map(toCaption);
    return captions && { case: "captions", value: { $typeName: "hourglass.operation.v1.Captions", captions } };
  }
  const detections = results[type]?.map(toDetection);
  return detections && { case: "detections", value: { $typeName: "hourglass.operation.v1.Detections", detections } };
}

export function toTranscript({ text, segments, model }: Transcript): TranscriptMessage {
  return {
    $typeName: "hourglass.operation.v1.Transcript",
    text,
    segments: segments.map((segment) => ({
      $typeName: "hourglass.operation.v1.SpokenSegment",
      span: toTimeSpan(segment),
      text: segment.text,
    })),
    model: toModel(model),
  };
}

function toDetection({ value, prob, moments = [] }: Detection): DetectionMessage {
  return { $typeName: "hourglass.operation.v1.Classification", value, prob, moments: moments.map(toTimeSpan) };
}

function toTimeSpan({ start, end }: Moment): TimeSpan {
  return { $typeName: "hourglass.operation.v1.TimeSpan", start, end };
}

function toCaption({ description, duration, descriptions = [] }: Caption): CaptionMessage {
  return {
    $typeName: "hourglass.operation.v1.Caption",
    ...(description === undefined ? {} : { description }),
    ...(duration === undefined ? {} : { duration }),
    descriptions: descriptions.map((moment) => ({
      $typeName: "hourglass.operation.v1.Moment",
      timestamp: moment.timestamp,
      description: moment.description,
    })),
  };
}
