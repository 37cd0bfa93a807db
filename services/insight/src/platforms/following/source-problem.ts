import { PlatformError, type PlatformErrorKind } from "../port/platform-error.js";

interface SourceProblemDetails {
  readonly isForbidden?: boolean;
  readonly isMissing?: boolean;
  readonly retryAt?: number;
  readonly requests?: number;
}

/** Why one page, hashtag or account cannot be read, although others may be. */
export class SourceProblem extends PlatformError {
  /** Whether the app or its token lacks a permission for the source. */
  readonly isForbidden: boolean;
  /** Whether the platform says that it does not exist, or is not shown to the app. */
  readonly isMissing: boolean;

  constructor(
    kind: Extract<PlatformErrorKind, "permanent" | "budget">,
    message: string,
    { isForbidden = false, isMissing = false, ...details }: SourceProblemDetails = {},
  ) {
    super(kind, message, details);
    this.isForbidden = isForbidden;
    this.isMissing = isMissing;
  }
}
