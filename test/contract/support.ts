import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { AppError, createLogger, type ErrorKind } from "@hourglass/runtime";
import { expect } from "vitest";

export const silent = createLogger("silent");

/** The resources that a suite opens for each of its tests, and closes after it. */
export interface World {
  close(): Promise<void>;
}

/** Creates a folder that nothing else uses; `remove` deletes it with its contents. */
export async function freshFolder(): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), "hourglass-contract-"));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** The AppError that a promise rejects with; anything else fails the test. */
export async function failureOf(work: Promise<unknown>): Promise<AppError> {
  const outcome: unknown = await work.then(
    () => "no failure",
    (error: unknown) => error,
  );
  if (!(outcome instanceof AppError)) throw new Error("expected an AppError", { cause: outcome });
  return outcome;
}

/** Fails unless the work is refused with an AppError of this kind. */
export async function expectFailure(kind: ErrorKind, work: Promise<unknown>): Promise<void> {
  expect((await failureOf(work)).kind).toBe(kind);
}

export function numbersBelow(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}
