import type { TextualAnalysis } from "../../registry/analyses.js";
import { reasonOf } from "../../registry/load-engine.js";
import type { AnalysisTiming, TextAnalysis, TimedAnalyses } from "./analyze-texts.js";
import type { Batch } from "./batch-functions.js";
import type { BatchThreads } from "./batch-threads.js";

/** A batch to analyse, unless the signal aborts before it begins. */
export interface Job {
  batch: Batch;
  signal: AbortSignal | undefined;
}

/** Has batches analysed by threads that a text may end. */
export interface BatchRun {
  /** One entry per text. If the batch ends its thread, each text is analysed alone, so that only the faulty ones fail. */
  entriesOf(job: Job, onTimed: ((timing: AnalysisTiming) => void) | undefined): Promise<TextAnalysis[]>;
  /** Rejects all further batches, and those that fail from now on. */
  refuse(): void;
}

export const createRun = (threads: Pick<BatchThreads, "run">): BatchRun => {
  let closed = false;
  // A function, because the compiler does not see that the flag may change during an await.
  const isClosed = (): boolean => closed;
  const runAlone = async (text: string, { batch, signal }: Job): Promise<TextAnalysis> => {
    try {
      const { entries } = await runBatch(threads, { batch: { ...batch, texts: [text] }, signal });
      return entries[0] ?? allFailed(batch.analyses, "the analysis returned nothing");
    } catch (error) {
      if (isClosed() || signal?.aborted === true) throw error;
      return allFailed(batch.analyses, `the analysis thread failed on this text: ${reasonOf(error)}`);
    }
  };
  return {
    async entriesOf(job, onTimed) {
      if (isClosed()) throw new Error("the analysis pool is closed");
      try {
        const { entries, timings } = await runBatch(threads, job);
        if (onTimed !== undefined) timings.forEach(onTimed);
        return entries;
      } catch (error) {
        if (isClosed() || job.signal?.aborted === true) throw error;
        const alone: TextAnalysis[] = [];
        for (const text of job.batch.texts) alone.push(await runAlone(text, job));
        return alone;
      }
    },
    refuse() {
      closed = true;
    },
  };
};

/** The worker's own signature guarantees the type; structured cloning preserves it. */
const runBatch = (threads: Pick<BatchThreads, "run">, { batch, signal }: Job): Promise<TimedAnalyses> =>
  threads.run("analyzeBatch", batch, signal) as Promise<TimedAnalyses>;

const allFailed = (analyses: readonly TextualAnalysis[], reason: string): TextAnalysis => ({
  results: {},
  errors: Object.fromEntries(analyses.map((type) => [type, reason])),
  models: {},
  language: "und",
  supported: {},
});
