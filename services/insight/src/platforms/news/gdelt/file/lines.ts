/** A line, or a mark for one that is too long to be read. */
export type Line = string | { readonly tooLong: true };

const NEW_LINE = 0x0a;

/** The lines of a text in UTF-8 that comes in chunks; at most one line, of `bytesMax`, is kept at a time. */
export async function* linesOf(chunks: AsyncIterable<Buffer>, bytesMax: number): AsyncGenerator<Line> {
  let parts: Buffer[] = [];
  let size = 0;
  const line = (): Line => (size > bytesMax ? { tooLong: true } : Buffer.concat(parts).toString("utf8"));
  const add = (part: Buffer): void => {
    size += part.length;
    // Chunks are copied: their memory may be used again.
    if (size <= bytesMax) parts.push(Buffer.from(part));
    else parts = [];
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(NEW_LINE); end !== -1; end = chunk.indexOf(NEW_LINE, from)) {
      add(chunk.subarray(from, end));
      yield line();
      [parts, size, from] = [[], 0, end + 1];
    }
    add(chunk.subarray(from));
  }
  if (size > 0) yield line();
}
