import { POSTING_KEYS } from "@hourglass/posting";
import type { Posting } from "@hourglass/proto/insight/v1/posting";
import type { Encoding } from "./encode/create-encoder.js";
import { inBlocks } from "./blocks.js";
import { toBlocks } from "./lines.js";
import type { Digest } from "./digest.js";
import { type Erased, withoutErased } from "./erase-lines.js";
import { Outlet } from "./outlet.js";
import type { Rendered, RenderedFormat, Sinks } from "./rendered-files.js";
import { startRenderThread, type RenderThread } from "./thread/render-thread.js";
import type { RenderedEnd, RenderPlan } from "./thread/render-worker.js";

export interface RenderOptions {
  /** Ends the rendering; it then fails with the reason. */
  readonly signal?: AbortSignal;
  /** Told how many postings have been rendered so far. */
  readonly onRows?: (rows: number) => void;
  /** Module of the thread; default: the one beside this file, as built. */
  readonly worker?: URL;
  /** A thread that goes on to live, for one export after another; by default, the export gets one of its own. */
  readonly thread?: RenderThread;
}

type Lines = AsyncIterable<Buffer>;

const PLAN: RenderPlan = {
  csv: { format: "csv", columns: POSTING_KEYS },
  parquet: { format: "parquet", columns: POSTING_KEYS },
} satisfies Record<string, Encoding>;

/**
 * Renders postings in all formats, in one pass, in the given order and at the pace of the sinks; memory does not grow
 * with the number of postings. CSV and Parquet are written by a thread. No sink's stream ends before all are rendered:
 * on any failure every stream fails, and so does this, once all sinks have given up.
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

async function renderLines(lines: Lines, sinks: Sinks, options: RenderOptions = {}): Promise<Rendered> {
  options.signal?.throwIfAborted();
  const thread = options.thread ?? startExportThread(options.worker);
  const outlets = { ndjson: new Outlet(sinks.ndjson), csv: new Outlet(sinks.csv), parquet: new Outlet(sinks.parquet) };
  const all = Object.values(outlets);
  try {
    const rendered = await new Rendering(thread, outlets, options).run(lines);
    await Promise.all(all.map((outlet) => outlet.end()));
    return rendered;
  } catch (error) {
    const cause = error instanceof Error ? error : new Error("The export could not be rendered.", { cause: error });
    await Promise.all(all.map((outlet) => outlet.fail(cause)));
    throw error;
  } finally {
    if (options.thread === undefined) await thread.close();
  }
}

/** Starts a thread that renders exports, which takes longer than to render a small one. */
export function startExportThread(worker?: URL): RenderThread {
  return startRenderThread(PLAN, worker);
}

class Rendering {
  private rows = 0;

  constructor(
    private readonly thread: RenderThread,
    private readonly outlets: Readonly<Record<RenderedFormat, Outlet>>,
    private readonly options: RenderOptions,
  ) {}

  async run(lines: Lines): Promise<Rendered> {
    await this.write((await this.thread.begin()).files);
    // While the thread renders a block, the next one is read.
    let underWay: Promise<void> = Promise.resolve();
    for await (const block of lines) {
      await underWay;
      this.options.signal?.throwIfAborted();
      underWay = this.render(block);
      underWay.catch(() => undefined); // awaited with the next block
    }
    await underWay;
    return this.finish(await this.thread.end());
  }

  private async render(block: Buffer): Promise<void> {
    const [{ rows, files }] = await Promise.all([this.thread.add(block), this.outlets.ndjson.write(block)]);
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
    const { csv, parquet } = this.outlets;
    await Promise.all([csv.write(files["csv"] ?? NONE), parquet.write(files["parquet"] ?? NONE)]);
  }
}

const NONE = new Uint8Array(0);

function digestOf(digests: RenderedEnd["digests"], name: RenderedFormat): Digest {
  const digest = digests[name];
  if (digest === undefined) throw new Error(`The thread has rendered no ${name}.`);
  return digest;
}
