import { CONTENT_ERROR_CODE, OPERATION_TYPE } from "../../json/spelling.js";
import { array, enumeration, number, object, ref, string, type Schema } from "../schema.js";

const SEGMENT = object({
  start: number("Seconds from the start, to a tenth.", { minimum: 0 }),
  end: number("Seconds from the start, to a tenth.", { minimum: 0 }),
  text: string("What is said in between."),
});

const TRANSCRIPT = object(
  {
    text: string("All that is said; empty when nobody speaks."),
    segments: array(ref("TranscriptSegment")),
    model: ref("Model"),
  },
  { description: "What is said in it. Present when a textual analysis was asked for and it has sound." },
);

/** Schemas of a content of an operation and its findings. */
export const CONTENT_SCHEMAS: Readonly<Record<string, Schema>> = {
  OperationType: enumeration(OPERATION_TYPE.names, "What the contents are."),
  Content: {
    description: "The text, file id or file URL.",
    oneOf: [{ type: "string" }, { type: "integer", format: "int64" }],
  },
  ContentErrorCode: enumeration(
    CONTENT_ERROR_CODE.names,
    "The gravest of the reasons in `error`. `unreadable`: it could not be fetched, is damaged or of another kind. " +
      "`analysis_failed`: an analysis could not be made. `unknown_analysis`: a newer release made a result. " +
      "`speech_unclear`: somebody speaks, but cannot be understood, or not always. `not_applicable`: there is nothing in " +
      "it that the analysis is about, such as pictures or words.",
  ),
  ContentResult: object(
    {
      type: ref("OperationType"),
      content: ref("Content"),
      dimensions: array(ref("Dimension"), { description: "What the content offers to analyse." }),
      analysis_type: array(ref("AnalysisType"), { description: "The same as `analysis_types`." }),
      analysis_types: array(ref("AnalysisType"), { description: "The analyses that apply to this content." }),
      analyses: array(ref("Analysis")),
      transcript: ref("Transcript"),
      ocr_text: string(
        "What is written in its pictures, a line each. Present when a textual analysis was asked for and it has pictures.",
      ),
      error: string("Why an analysis of this content has no result."),
      error_code: ref("ContentErrorCode"),
    },
    { optional: ["transcript", "ocr_text", "error", "error_code"] },
  ),
  Transcript: TRANSCRIPT,
  TranscriptSegment: SEGMENT,
};
