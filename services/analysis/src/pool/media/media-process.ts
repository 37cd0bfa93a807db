import { fileURLToPath } from "node:url";
import workerpool, { type Pool } from "workerpool";
import type { EngineSettings } from "../../engine-settings.js";
import type { ChildAnswer } from "./media-child.js";
import { type Overrun, type TimeLimits, watchTime } from "../../decode/time-watch.js";

/** The process ended before its answer: it died, or was ended because of a time limit. */
export class ProcessEndedError extends Error {
  override readonly name = "ProcessEndedError";
  constructor(
    readonly why: "died" | Overrun,
    options: ErrorOptions,
  ) {
    super(why === "died" ? "the process died" : `the process took too long (${why})`, options);
  }
}

export interface ProcessOptions {
  /** Module that the process runs. */
  child: URL;
  settings: EngineSettings;
}

/** In MiB. Its heap is small: pictures, tensors and models are outside of it. */
const HEAP_MAX_MB = 768;
/** Enough to load the code on a very busy machine. */
const BEGIN_MAX_MS = 120_000;

/** A process that analyses files, one after the other. */
export class MediaProcess {
  /** Undefined until it has started. */
  private pid: number | undefined;

  private constructor(private readonly pool: Pool) {}

  /** Rejects if the process cannot be started. */
  static async start({ child, settings }: ProcessOptions): Promise<MediaProcess> {
    const pool = workerpool.pool(fileURLToPath(child), {
      workerType: "process",
      maxWorkers: 1,
      workerTerminateTimeout: 100,
      // Read and discarded: the parent's own streams belong to its log.
      emitStdStreams: true,
      forkOpts: {
        env: settings.media?.environment ?? {},
        execArgv: [`--max-old-space-size=${HEAP_MAX_MB}`],
        serialization: "advanced",
      },
    });
    const started = new MediaProcess(pool);
    try {
      started.pid = (await pool.exec("begin", [settings]).timeout(BEGIN_MAX_MS)) as number | undefined;
      return started;
    } catch (error) {
      await started.end();
      throw new Error("the process that looks at files could not be started", { cause: error });
    }
  }

  /**
   * Calls a function of the child. Rejects with ProcessEndedError if the process died or exceeded one of its limits,
   * and with the signal's reason on abort; the process has ended then.
   */
  async call<T>(
    name: string,
    args: unknown[],
    { signal, ...limits }: TimeLimits & { signal?: AbortSignal | undefined },
  ): Promise<ChildAnswer<T>> {
    signal?.throwIfAborted();
    const call = this.pool.exec(name, args);
    const cancel = () => void call.cancel();
    let overrun: Overrun | undefined;
    const endWatch = watchTime(this.pid, limits, (which) => {
      overrun = which;
      cancel();
    });
    signal?.addEventListener("abort", cancel, { once: true });
    try {
      // The child's own signature guarantees the type; structured cloning preserves it.
      return (await call) as ChildAnswer<T>;
    } catch (error) {
      await this.end();
      signal?.throwIfAborted();
      throw new ProcessEndedError(overrun ?? "died", { cause: error });
    } finally {
      endWatch();
      signal?.removeEventListener("abort", cancel);
    }
  }

  /** Ends the process immediately. */
  async end(): Promise<void> {
    await this.pool.terminate(true);
  }
}
