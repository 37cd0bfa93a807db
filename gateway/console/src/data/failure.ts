import { HourglassError, type FieldError } from "@hourglass/client";
import { words } from "../words/words.js";

/** A failure as a person reads it. */
export interface Failure {
  readonly title: string;
  readonly text: string;
  readonly fields: readonly FieldError[];
  readonly requestId: string | undefined;
  /** Whether a second try may help. */
  readonly mayRetry: boolean;
  readonly isGone: boolean;
  readonly status: number | undefined;
}

const NONE = { fields: [], requestId: undefined, isGone: false, status: undefined } as const;

/** What a failed request says to the user: one sentence, what to do, and how to find it in the server's log. */
export function describeError(error: unknown): Failure {
  const { problems } = words;
  if (!(error instanceof HourglassError)) {
    return { ...NONE, title: problems.noAnswer, text: problems.noAnswerHelp, mayRetry: true };
  }
  const { status, message, details, requestId } = error;
  const base = { text: message, fields: details, requestId, status, isGone: status === 404, mayRetry: status >= 429 };
  if (status === 403) return { ...base, title: problems.forbidden };
  if (status === 404) return { ...base, title: words.frame.noSuchPage, text: problems.gone };
  if (status >= 500) return { ...base, title: problems.failed };
  return { ...base, title: problems.refused };
}

/** The message about a field of a request that was refused; undefined if nothing is wrong with it. */
export function fieldError(error: unknown, field: string): string | undefined {
  if (!(error instanceof HourglassError)) return undefined;
  return error.details.find((detail) => detail.field === field || detail.field.startsWith(`${field}[`))?.message;
}
