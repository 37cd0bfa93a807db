import { Writable } from "node:stream";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { ReadFileResponseSchema, UploadFileRequestSchema } from "@hourglass/proto/media/v1/media_service";
import { describe, expect, it } from "vitest";
import { encodeBytesMessage, MessageWriter } from "./wire.js";

const pieceOf = (size: number) => new Uint8Array(size).map((_, index) => index % 251);

describe("the encoding of pieces of files", () => {
  it.each([4096, 16_383, 16_384, 131_072, 2_097_151, 2_097_152])("is the library's, for %i bytes", (size) => {
    const answer = create(ReadFileResponseSchema, { chunk: pieceOf(size) });
    const request = create(UploadFileRequestSchema, { part: { case: "chunk", value: pieceOf(size) } });
    expect(encodeBytesMessage(ReadFileResponseSchema, answer)?.equals(toBinary(ReadFileResponseSchema, answer))).toBe(
      true,
    );
    const encoded = encodeBytesMessage(UploadFileRequestSchema, request);
    expect(encoded?.equals(toBinary(UploadFileRequestSchema, request))).toBe(true);
  });

  it("is left to the library for everything else", () => {
    const metadata = { name: "n".repeat(10_000), idempotencyKey: "" };
    for (const part of [
      { case: "metadata", value: metadata },
      { case: "chunk", value: pieceOf(100) },
      undefined,
    ] as const) {
      const request = create(UploadFileRequestSchema, part === undefined ? {} : { part });
      expect(encodeBytesMessage(UploadFileRequestSchema, request)).toBeUndefined();
    }
    const last = create(UploadFileRequestSchema, { part: { case: "chunk", value: pieceOf(5000) }, last: true });
    expect(encodeBytesMessage(UploadFileRequestSchema, last)).toBeUndefined();
    // Fields added by a later version must be kept.
    const later = Buffer.concat([
      toBinary(ReadFileResponseSchema, create(ReadFileResponseSchema, { chunk: pieceOf(5000) })),
      Buffer.from([0x18, 1]),
    ]);
    expect(encodeBytesMessage(ReadFileResponseSchema, fromBinary(ReadFileResponseSchema, later))).toBeUndefined();
  });
});

/** A reader that reads a message only on demand. */
function slowReader() {
  const waiting: (() => void)[] = [];
  const stream = new Writable({
    objectMode: true,
    write: (_message, _encoding, done) => void waiting.push(() => done()),
  });
  return { stream, take: () => waiting.shift()?.() };
}

async function isPending(promise: Promise<void>): Promise<boolean> {
  const pending = Symbol("pending");
  return (await Promise.race([promise, new Promise((resolve) => setImmediate(resolve, pending))])) === pending;
}

describe("MessageWriter", () => {
  it("writes small messages without waiting for each", async () => {
    const { stream } = slowReader();
    const writer = new MessageWriter(stream, new AbortController().signal);
    for (let count = 0; count < 100; count += 1) await writer.write(Buffer.alloc(1000));
  });

  it("waits for a slow reader before more than 256 KiB are pending", async () => {
    const { stream, take } = slowReader();
    const writer = new MessageWriter(stream, new AbortController().signal);
    await writer.write(Buffer.alloc(200_000));
    const second = writer.write(Buffer.alloc(200_000));
    expect(await isPending(second)).toBe(true);
    take();
    await second;
  });

  it("stops waiting when the call is over, and writes no more", async () => {
    const { stream } = slowReader();
    const call = new AbortController();
    const writer = new MessageWriter(stream, call.signal);
    const blocked = writer.write(Buffer.alloc(1_000_000));
    call.abort();
    await blocked;
    await writer.write(Buffer.alloc(1));
    expect(stream.writableLength).toBe(1);
  });
});
