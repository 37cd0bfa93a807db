import type { Posting } from "@hourglass/proto/insight/v1/posting";
import { createEncoder, type Encoding } from "../encoder.js";
import { parseBlock } from "../ndjson.js";
import { type RenderedFormat, type Sinks, toBlocks } from "../render.js";
import { inBatches } from "./postings.js";

/** The thread as it is built; its sources cannot be run by a thread. */
export const BUILT = new URL("../../../dist/render/render-worker.js", import.meta.url);

/** Files in memory, and the sinks that fill them. */
export class MemoryFiles {
  readonly files = new Map<RenderedFormat, Buffer>();

  readonly sinks: Sinks = {
    ndjson: (bytes) => this.store("ndjson", bytes),
    csv: (bytes) => this.store("csv", bytes),
    parquet: (bytes) => this.store("parquet", bytes),
  };

  of(format: RenderedFormat): Buffer {
    const bytes = this.files.get(format);
    if (bytes === undefined) throw new Error(`There is no ${format}.`);
    return bytes;
  }

  /** The JSON lines, as they are read from the storage. */
  lines(): AsyncIterable<Uint8Array> {
    return inPieces(this.of("ndjson"));
  }

  private async store(format: RenderedFormat, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    this.files.set(format, await collected(bytes));
  }
}

/** Bytes in pieces of a size. */
export async function* inPieces(bytes: Buffer, size = 1000): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += size) {
    await Promise.resolve();
    yield bytes.subarray(start, start + size);
  }
}

export async function collected(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Encodes postings without a thread. */
export async function encoded(postings: readonly Posting[], encoding: Encoding): Promise<Buffer> {
  const encoder = createEncoder(encoding);
  const chunks = [encoder.begin()];
  for await (const block of toBlocks(inBatches(postings))) chunks.push(encoder.add(parseBlock(block), block.length));
  chunks.push(encoder.end());
  return Buffer.concat(chunks);
}
