import { HttpFailure } from "@hourglass/runtime";

/** Failures before a request has reached the platform, which then counts and bills nothing. */
const UNSENT: ReadonlySet<string> = new Set(["refused", "unknown-host", "unreachable", "untrusted"]);

/** Whether a request failed before it reached the platform, so that what was reserved for it is unused. */
export function wasUnsent(error: unknown): boolean {
  return error instanceof HttpFailure && UNSENT.has(error.kind);
}
