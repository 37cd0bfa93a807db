import { fileURLToPath } from "node:url";
import { Piscina } from "piscina";
import type { RenderedBlock, RenderedEnd, RenderPlan } from "./render-worker.js";

/** A thread that writes the files of one export at a time. */
export interface RenderThread {
  /** Begins an export, and returns the first bytes of each file. */
  begin(): Promise<RenderedBlock>;
  /** Results come in the order of the calls. */
  add(block: Uint8Array): Promise<RenderedBlock>;
  end(): Promise<RenderedEnd>;
  /** Ends the thread at once, also in the middle of an export. */
  close(): Promise<void>;
}

/** The compiled module of the thread. */
const RENDER_WORKER = new URL("./render-worker.js", import.meta.url);

/** A row group of Parquet needs about 100 MB while it is encoded. */
const HEAP_MAX_MB = 512;
/** What the thread allocates is mostly dropped within a block; a third of the usual room for it costs no time. */
const YOUNG_HEAP_MAX_MB = 16;

/** Starts a thread, which does not keep the process alive. */
export function startRenderThread(plan: RenderPlan, worker = RENDER_WORKER): RenderThread {
  const pool = new Piscina({
    filename: fileURLToPath(worker),
    workerData: plan,
    minThreads: 1,
    maxThreads: 1,
    concurrentTasksPerWorker: 1,
    idleTimeout: Infinity,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MAX_MB, maxYoungGenerationSizeMb: YOUNG_HEAP_MAX_MB },
  });
  // A dying thread rejects its call, which is handled there; without a listener, this event would end the process.
  pool.on("error", () => undefined);
  const run = (name: string, value?: unknown): Promise<unknown> => pool.run(value, { name });
  return {
    begin: () => run("begin") as Promise<RenderedBlock>,
    add: (block) => run("add", block) as Promise<RenderedBlock>,
    end: () => run("end") as Promise<RenderedEnd>,
    close: () => pool.destroy(),
  };
}
