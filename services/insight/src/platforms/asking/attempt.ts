import { HttpFailure } from "@hourglass/runtime";
import { PlatformError } from "../port/platform-error.js";

/** What was asked for, or why it could not be had. */
export type Attempt<T> =
  | { readonly value: T; readonly failure?: undefined }
  | { readonly value?: undefined; readonly failure: { readonly message: string; readonly requests: number } };

/**
 * Asks for what postings can do without, so that a failure does not lose them. Throws the reason of the signal, and what
 * is no failure of the platform.
 */
export async function attempt<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<Attempt<T>> {
  try {
    return { value: await ask() };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof PlatformError) return { failure: error };
    if (error instanceof HttpFailure) return { failure: { message: error.message, requests: 1 } };
    throw error;
  }
}
