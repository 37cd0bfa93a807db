import { ContentErrorCode } from "@hourglass/proto/operation/v1/operation";
import { type ContentOutcome, isFileOutcome } from "../records/operation.js";
import type { TextOutcome } from "../records/text-outcome.js";

/** Reported for a group whose contents have no words: not a failure, since there is nothing to analyse. */
export const NO_WORDS = "no words were found in the contents of this group";

/** Whether a content failed: it could not be read, or one of its analyses failed. */
export function hasFailed(outcome: ContentOutcome): boolean {
  if (!isFileOutcome(outcome)) return Object.values(outcome.errors).some(isFailure);
  if ("unreadable" in outcome) return true;
  const { findings, texts } = outcome;
  return Object.values(findings.errors).some(isFailure) || Object.values(texts).some(hasFailed);
}

/** The code of the reason why a text, or the text of a group, has no result. */
export function codeOfText(type: keyof TextOutcome["errors"], outcome: TextOutcome | undefined): ContentErrorCode {
  return outcome?.errors[type] === NO_WORDS ? ContentErrorCode.NOT_APPLICABLE : ContentErrorCode.ANALYSIS_FAILED;
}

function isFailure(reason: string | undefined): boolean {
  return reason !== undefined && reason !== NO_WORDS;
}
