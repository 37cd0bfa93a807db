import { expect } from "vitest";
import { PlatformError } from "../../connector.js";

/** The error with which work of a connector fails. */
export async function failureOf(work: Promise<unknown>): Promise<PlatformError> {
  const error: unknown = await work.then(
    () => "no failure",
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(PlatformError);
  return error as PlatformError;
}
