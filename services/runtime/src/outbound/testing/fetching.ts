import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { expect } from "vitest";
import { UnreachableUrlError } from "../unreachable-url-error.js";
import type { Fetched } from "../url-fetcher.js";

/** All bytes of a file; `onChunk` is called for each part. */
export async function drain({ bytes }: Fetched, onChunk: () => void = () => undefined): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) {
    chunks.push(chunk);
    onChunk();
  }
  return Buffer.concat(chunks);
}

/** The UnreachableUrlError of a rejected promise; anything else fails the test. */
export async function unreachableOf(promise: Promise<unknown>): Promise<UnreachableUrlError> {
  const error: unknown = await promise.then(
    () => "no failure",
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(UnreachableUrlError);
  return error as UnreachableUrlError;
}

/** Sends byte by byte until the connection is closed. */
export function dribble(response: ServerResponse | Socket): void {
  const timer = setInterval(() => response.write("x"), 20);
  response.on("close", () => clearInterval(timer));
}
