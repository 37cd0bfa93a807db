import { fileURLToPath } from "node:url";
import { Piscina } from "piscina";
import { type FeedDocument, type FeedReading, NoFeedError } from "./read-feed.js";
import type { ThreadAnswer } from "./reading-worker.js";

/** Reads a feed. Throws NoFeedError, also for a document that takes too much time or memory. */
export type ReadFeed = (document: FeedDocument) => Promise<FeedReading>;

interface ReadingThreadOptions {
  /** Module of the thread; default: the one beside this file. */
  worker?: URL;
  /** Longest time for one document, in milliseconds. */
  timeoutMs?: number;
}

const WORKER = new URL("./reading-worker.js", import.meta.url);
const TIMEOUT_MS = 10_000;
/** A document of 5 MiB needs about 100 MB. */
const HEAP_MAX_MB = 256;
/** The thread ends when it was idle for so long. */
const IDLE_MS = 10_000;

/**
 * Reads feeds in their own thread: a document of 5 MiB takes 300 ms, and one made for it takes seconds or exhausts
 * the stack. The thread starts with the first feed and does not keep the process alive.
 */
export function createReadingThread({ worker = WORKER, timeoutMs = TIMEOUT_MS }: ReadingThreadOptions = {}): ReadFeed {
  const pool = new Piscina({
    filename: fileURLToPath(worker),
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MAX_MB },
  });
  // A dying thread rejects its own document, which is handled there; without a listener, this event would end the process.
  pool.on("error", () => undefined);
  /** Documents wait here and not in the pool, so that the wait does not count as time of reading. */
  let turn: Promise<unknown> = Promise.resolve();
  return async (document) => {
    const answer = turn.then(() => run(pool, document, timeoutMs));
    turn = answer.catch(() => undefined);
    return readingOf(await answer);
  };
}

async function run(pool: Piscina, document: FeedDocument, timeoutMs: number): Promise<ThreadAnswer> {
  try {
    const running: Promise<unknown> = pool.run(document, { name: "read", signal: AbortSignal.timeout(timeoutMs) });
    return (await running) as ThreadAnswer;
  } catch (error) {
    throw new NoFeedError("exhausting", error);
  }
}

function readingOf(answer: ThreadAnswer): FeedReading {
  if ("noFeed" in answer) throw new NoFeedError(answer.noFeed);
  return answer.reading;
}
