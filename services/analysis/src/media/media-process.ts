import { fileURLToPath } from "node:url";
import workerpool, { type Pool } from "workerpool";
import type { EngineSettings } from "../engines.js";
import type { ChildAnswer } from "./media-child.js";

/** The process did not get to an answer: it died, or was ended because it took too long. */
export class ProcessEndedError extends Error {
  override readonly name = "ProcessEndedError";
  constructor(
    readonly why: "died" | "late",
    options: ErrorOptions,
  ) {
    super(why === "late" ? "the process took too long" : "the process died", options);
  }
}

export interface ProcessOptions {
  /** Module that the process runs. */
  child: URL;
  settings: EngineSettings;
}

/** Its heap holds little: pictures, tensors and models lie outside. In MiB. */
const HEAP_MAX_MB = 768;
/** Loading the code, on a busy machine. */
const BEGIN_MAX_MS = 30_000;

/** A process that looks at files, one after the other. */
export class MediaProcess {
  private constructor(private readonly pool: Pool) {}

  /** Rejects when no process can be started. */
  static async start({ child, settings }: ProcessOptions): Promise<MediaProcess> {
    const pool = workerpool.pool(fileURLToPath(child), {
      workerType: "process",
      maxWorkers: 1,
      workerTerminateTimeout: 100,
      // Taken and dropped: the parent's own streams belong to its log.
      emitStdStreams: true,
      forkOpts: {
        env: settings.media?.environment ?? {},
        execArgv: [`--max-old-space-size=${HEAP_MAX_MB}`],
        serialization: "advanced",
      },
    });
    const started = new MediaProcess(pool);
    try {
      await pool.exec("begin", [settings]).timeout(BEGIN_MAX_MS);
      return started;
    } catch (error) {
      await started.end();
      throw new Error("the process that looks at files could not be started", { cause: error });
    }
  }

  /**
   * Calls a function of the child. Rejects with ProcessEndedError when the process died or needed longer than that, and
   * with the signal's reason; it is gone then.
   */
  async call<T>(
    name: string,
    args: unknown[],
    { timeMaxMs, signal }: { timeMaxMs: number; signal?: AbortSignal | undefined },
  ): Promise<ChildAnswer<T>> {
    signal?.throwIfAborted();
    const call = this.pool.exec(name, args).timeout(timeMaxMs);
    const cancel = () => void call.cancel();
    signal?.addEventListener("abort", cancel, { once: true });
    try {
      // The child's own signature promises the type; structured cloning keeps it.
      return (await call) as ChildAnswer<T>;
    } catch (error) {
      await this.end();
      signal?.throwIfAborted();
      const late = error instanceof workerpool.Promise.TimeoutError;
      throw new ProcessEndedError(late ? "late" : "died", { cause: error });
    } finally {
      signal?.removeEventListener("abort", cancel);
    }
  }

  /** Ends the process, whatever it does. */
  async end(): Promise<void> {
    await this.pool.terminate(true);
  }
}
