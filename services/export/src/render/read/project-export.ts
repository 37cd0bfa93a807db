import { createEncoder, type Encoding } from "../encode/create-encoder.js";
import { fromBlock, inBlocks } from "../blocks.js";
import { startRenderThread } from "../thread/render-thread.js";

const NAME = "projection";

export interface ProjectOptions {
  /** Module of the thread; default: the one of this folder, as built. */
  readonly worker?: URL;
}

/**
 * Renders an export while it is read, with other columns or in another form of CSV, from its JSON lines; how many bytes
 * it will be is not known before. Parquet is written by a thread.
 */
export function projectExport(
  ndjson: AsyncIterable<Uint8Array>,
  encoding: Encoding,
  { worker }: ProjectOptions = {},
): AsyncGenerator<Uint8Array> {
  return encoding.format === "parquet" ? projectInThread(ndjson, encoding, worker) : project(ndjson, encoding);
}

async function* project(ndjson: AsyncIterable<Uint8Array>, encoding: Encoding): AsyncGenerator<Uint8Array> {
  const encoder = createEncoder(encoding);
  yield* unlessEmpty(encoder.begin());
  for await (const block of inBlocks(ndjson)) yield* unlessEmpty(encoder.add(fromBlock(block), block.length));
  yield* unlessEmpty(encoder.end());
}

async function* projectInThread(
  ndjson: AsyncIterable<Uint8Array>,
  encoding: Encoding,
  worker: URL | undefined,
): AsyncGenerator<Uint8Array> {
  const thread = startRenderThread({ [NAME]: encoding }, worker);
  const ready = ({ files }: { files: Readonly<Record<string, Uint8Array>> }) => unlessEmpty(files[NAME]);
  try {
    yield* ready(await thread.begin());
    for await (const block of inBlocks(ndjson)) yield* ready(await thread.add(block));
    yield* ready(await thread.end());
  } finally {
    await thread.close();
  }
}

function unlessEmpty(bytes: Uint8Array | undefined): Uint8Array[] {
  return bytes === undefined || bytes.length === 0 ? [] : [bytes];
}
