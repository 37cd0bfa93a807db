import { Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { MessageWriter } from "./message-writer.js";

/** A reader that reads a message only when told to. */
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
