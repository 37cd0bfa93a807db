import type { PostingJson } from "@hourglass/posting/columns";

/** Lines are passed on in blocks of about this size, in bytes: large enough for a message, small enough for one turn. */
export const BLOCK_BYTES = 128 * 1024;
const LINE_FEED = 0x0a;

/** Cuts JSON lines into blocks of whole lines. */
export async function* inBlocks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let begun: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(LINE_FEED) + 1;
    if (size + chunk.length < BLOCK_BYTES || end === 0) {
      begun.push(chunk);
      size += chunk.length;
      continue;
    }
    yield Buffer.concat([...begun, chunk.subarray(0, end)]);
    begun = [chunk.subarray(end)];
    size = chunk.length - end;
  }
  if (size > 0) yield Buffer.concat(begun);
}

/** The posting objects of a block of whole lines. */
export function fromBlock(block: Uint8Array): PostingJson[] {
  if (block.length === 0) return [];
  const text = Buffer.from(block.buffer, block.byteOffset, block.length).toString();
  return JSON.parse(`[${text.slice(0, -1).replaceAll("\n", ",")}]`) as PostingJson[];
}
