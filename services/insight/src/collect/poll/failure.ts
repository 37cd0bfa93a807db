import { AppError, HttpFailure } from "@hourglass/runtime";
import { PlatformError, type PlatformErrorKind } from "../../platforms/connector.js";

/** Why a page could not be fetched or stored; `circuit`: the platform was not asked, because it failed other searches. */
export interface Failure {
  kind: PlatformErrorKind | "circuit";
  /** A sentence for the owner of the search. */
  message: string;
  /** Earliest time of the next request, in milliseconds since the epoch. */
  retryAt: number | undefined;
  /** Requests sent, as far as is known. */
  requests: number;
  /** Set for a failure that no connector foresees. */
  unforeseen?: unknown;
}

/** Reads a failure of a connector. Rethrows a failure of the store, which says nothing about the platform. */
export function failureOf(error: unknown): Failure {
  if (error instanceof PlatformError) {
    const { kind, message, retryAt, requests } = error;
    return { kind, message, retryAt, requests };
  }
  if (error instanceof HttpFailure) return failureOfRequest(error);
  if (error instanceof AppError && error.kind === "unavailable") throw error;
  const message = "The platform's answer could not be used. It is asked again; if this goes on, ask the operator.";
  return { kind: "temporary", message, retryAt: undefined, requests: 1, unforeseen: error };
}

function failureOfRequest(failure: HttpFailure): Failure {
  const requests = failure.kind === "refused" || failure.kind === "unknown-host" ? 0 : 1;
  // A resolver that is away for a moment knows no host.
  const isTemporary = !failure.permanent || failure.kind === "unknown-host";
  return { kind: isTemporary ? "temporary" : "permanent", message: failure.message, retryAt: undefined, requests };
}
