import type { PostingJson } from "@hourglass/posting/columns";

/**
 * Lines are passed on in blocks of about this size, in bytes: large enough for a message to a thread, small enough not to stop
 * the event loop.
 */
export const BLOCK_BYTES = 128 * 1024;
const LINE_FEED = 0x0a;

/** JSON lines in blocks of whole lines, whatever the chunks in which they arrive. */
export async function* inBlocks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let pending: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(LINE_FEED) + 1;
    if (size + chunk.length < BLOCK_BYTES || end === 0) {
      pending.push(chunk);
      size += chunk.length;
      continue;
    }
    yield Buffer.concat([...pending, chunk.subarray(0, end)]);
    pending = [chunk.subarray(end)];
    size = chunk.length - end;
  }
  if (size > 0) yield Buffer.concat(pending);
}

/** The posting objects of a block of whole lines. */
export function parseBlock(block: Uint8Array): PostingJson[] {
  if (block.length === 0) return [];
  const text = Buffer.from(block.buffer, block.byteOffset, block.length).toString();
  return JSON.parse(`[${text.slice(0, -1).replaceAll("\n", ",")}]`) as PostingJson[];
}

/** Writes some columns of postings as JSON lines. */
export class NdjsonEncoder {
  /** As an array, `JSON.stringify` would take them for the keys to write, also of the objects that `more_info` holds. */
  constructor(private readonly columns: readonly string[]) {}

  begin(): Uint8Array {
    return NO_BYTES;
  }

  add(postings: readonly PostingJson[]): Uint8Array {
    return Buffer.from(postings.map((posting) => `${JSON.stringify(this.select(posting))}\n`).join(""));
  }

  end(): Uint8Array {
    return NO_BYTES;
  }

  private select(posting: PostingJson): PostingJson {
    return Object.fromEntries(this.columns.map((column) => [column, posting[column] ?? null]));
  }
}

const NO_BYTES = new Uint8Array(0);
