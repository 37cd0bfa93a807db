import { once } from "node:events";
import { PassThrough } from "node:stream";
import { EXPORTED_KEYS, toExportedJson } from "@hourglass/posting";
import type { Posting } from "@hourglass/proto/insight/v1/posting";
import { type Erased, withoutErased } from "./erased.js";
import { BLOCK_BYTES, inBlocks } from "./ndjson.js";
import { type RenderThread, startRenderThread } from "./render-thread.js";
import type { Digest, RenderedEnd, RenderPlan } from "./render-worker.js";

/** The files of an export. The JSON array is read from the JSON lines. */
export const RENDERED_FORMATS = ["ndjson", "csv", "parquet"] as const;

export type RenderedFormat = (typeof RENDERED_FORMATS)[number];

/** Stores the bytes of a file; a stream that fails must leave nothing. */
export type Sink = (bytes: AsyncIterable<Uint8Array>) => Promise<unknown>;

/** Where the files of an export are stored. */
export type Sinks = Readonly<Record<RenderedFormat, Sink>>;

/** An export that has been stored. */
export interface Rendered {
  readonly rows: number;
  /** The same postings give the same bytes, and therefore the same tags; of Parquet, until some are erased. */
  readonly files: Readonly<Record<RenderedFormat, Digest>>;
}

export interface RenderOptions {
  /** Ends the rendering; it then fails with the reason. */
  readonly signal?: AbortSignal;
  /** Called with the number of postings rendered so far. */
  readonly onRows?: (rows: number) => void;
  /** Module of the thread; default: the compiled one. */
  readonly worker?: URL;
  /** A thread that renders one export after another; by default, one is started for this export. */
  readonly thread?: RenderThread;
}

const PLAN = {
  csv: { format: "csv", columns: EXPORTED_KEYS },
  parquet: { format: "parquet", columns: EXPORTED_KEYS },
} satisfies RenderPlan;

/** Starts a thread for several exports; to start it takes longer than to render a small one. */
export function startExportThread(worker?: URL): RenderThread {
  return startRenderThread(PLAN, worker);
}

/**
 * Renders postings in all formats, in one pass, in the given order and at the pace of the sinks; memory does not grow
 * with the number of postings. CSV and Parquet are written by a thread. No sink's stream ends before all are rendered:
 * on any failure every stream fails, and so does this, once all sinks have returned.
 */
export function renderExport(
  postings: AsyncIterable<readonly Posting[]>,
  sinks: Sinks,
  options?: RenderOptions,
): Promise<Rendered> {
  return renderLines(toBlocks(postings), sinks, options);
}

/**
 * Renders a finished export again from its JSON lines, without the postings that have been erased: all files are as if these
 * had never been exported, but that the row groups of a large Parquet file may begin at other postings. Fails as
 * `renderExport` does.
 */
export function rewriteExport(
  ndjson: AsyncIterable<Uint8Array>,
  erased: readonly Erased[],
  sinks: Sinks,
  options?: RenderOptions,
): Promise<Rendered> {
  return renderLines(withoutErased(inBlocks(ndjson), erased), sinks, options);
}

/** Postings as blocks of JSON lines. */
export async function* toBlocks(batches: AsyncIterable<readonly Posting[]>): AsyncGenerator<Buffer> {
  let text = "";
  for await (const batch of batches) {
    for (const posting of batch) {
      text += toLine(posting);
      if (text.length < BLOCK_BYTES) continue;
      yield Buffer.from(text);
      text = "";
    }
  }
  if (text !== "") yield Buffer.from(text);
}

/** The posting object in JSON with its moment as the last key, and a line feed. Lone surrogates become U+FFFD. */
export function toLine(posting: Posting): string {
  const json = JSON.stringify(toExportedJson(posting));
  return `${json.includes("\\ud") ? json.replace(LONE_SURROGATE, "$1\ufffd") : json}\n`;
}

/** Escapes of lone surrogates, which JSON.stringify writes and strict readers of JSON refuse. */
const LONE_SURROGATE = /(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g;

async function renderLines(
  blocks: AsyncIterable<Buffer>,
  sinks: Sinks,
  options: RenderOptions = {},
): Promise<Rendered> {
  options.signal?.throwIfAborted();
  const thread = options.thread ?? startExportThread(options.worker);
  const writers = {
    ndjson: new SinkWriter(sinks.ndjson),
    csv: new SinkWriter(sinks.csv),
    parquet: new SinkWriter(sinks.parquet),
  };
  const all = Object.values(writers);
  try {
    const rendered = await new Rendering(thread, writers, options).run(blocks);
    await Promise.all(all.map((writer) => writer.end()));
    return rendered;
  } catch (error) {
    const cause = error instanceof Error ? error : new Error("The export could not be rendered.", { cause: error });
    await Promise.all(all.map((writer) => writer.fail(cause)));
    throw error;
  } finally {
    if (options.thread === undefined) await thread.close();
  }
}

class Rendering {
  private rows = 0;

  constructor(
    private readonly thread: RenderThread,
    private readonly writers: Readonly<Record<RenderedFormat, SinkWriter>>,
    private readonly options: RenderOptions,
  ) {}

  async run(blocks: AsyncIterable<Buffer>): Promise<Rendered> {
    await this.write((await this.thread.begin()).files);
    // While the thread renders a block, the next one is read.
    let last: Promise<void> = Promise.resolve();
    for await (const block of blocks) {
      await last;
      this.options.signal?.throwIfAborted();
      last = this.render(block);
      last.catch(() => undefined); // awaited with the next block
    }
    await last;
    return this.finish(await this.thread.end());
  }

  private async render(block: Buffer): Promise<void> {
    const [{ rows, files }] = await Promise.all([this.thread.add(block), this.writers.ndjson.write(block)]);
    await this.write(files);
    this.rows += rows;
    this.options.onRows?.(this.rows);
  }

  private async finish({ files, lines, digests }: RenderedEnd): Promise<Rendered> {
    this.options.signal?.throwIfAborted();
    await this.write(files);
    return {
      rows: this.rows,
      files: { ndjson: lines, csv: digestOf(digests, "csv"), parquet: digestOf(digests, "parquet") },
    };
  }

  private async write(files: Readonly<Record<string, Uint8Array>>): Promise<void> {
    const { csv, parquet } = this.writers;
    await Promise.all([csv.write(files["csv"] ?? NO_BYTES), parquet.write(files["parquet"] ?? NO_BYTES)]);
  }
}

const NO_BYTES = new Uint8Array(0);

function digestOf(digests: RenderedEnd["digests"], format: RenderedFormat): Digest {
  const digest = digests[format];
  if (digest === undefined) throw new Error(`The thread has rendered no ${format}.`);
  return digest;
}

/** Bytes that may wait for the storage. */
const BUFFER_BYTES = 1024 * 1024;

/** Writes a file to its sink, at the pace of the sink. */
class SinkWriter {
  private readonly stream = new PassThrough({ highWaterMark: BUFFER_BYTES });
  private readonly stored: Promise<void>;
  private readonly failure = new AbortController();

  constructor(sink: Sink) {
    this.stream.on("error", () => undefined); // the sink reports it
    this.stored = this.store(sink);
    this.stored.catch((error: unknown) => this.failure.abort(error));
  }

  /** Fails with the error of the sink. */
  async write(bytes: Uint8Array): Promise<void> {
    const { signal } = this.failure;
    signal.throwIfAborted();
    if (bytes.length === 0 || this.stream.write(bytes)) return;
    try {
      await once(this.stream, "drain", { signal });
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    }
  }

  /** Waits until everything is stored. */
  async end(): Promise<void> {
    this.stream.end();
    await this.stored;
  }

  /** Fails the sink's stream with the error, and waits for the sink to return. */
  async fail(error: Error): Promise<void> {
    this.stream.destroy(error);
    await this.stored.catch(() => undefined);
  }

  private async store(sink: Sink): Promise<void> {
    await sink(this.stream);
    if (!this.stream.readableEnded) throw new Error("The storage has not taken all bytes of a file.");
  }
}
