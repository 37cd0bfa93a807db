import { fileURLToPath } from "node:url";
import { FairLimit, type Owner } from "@hourglass/runtime/fair-limit";
import workerpool, { type Pool } from "workerpool";
import type { EngineSettings, Gallery, ModelRef, NsfwRating, PlacedBox } from "../types.js";
import type { ModelLog } from "../engines/hugging-face/configured-models.js";
import { LateFileError, type MediaFacts, UnreadableFileError } from "../media/probe/facts.js";
import type { Transcript } from "../media/speech.js";
import { SpeechModelSource } from "../media/speech-model.js";
import { type Overrun, type TimeLimits, watchTime } from "../media/time-limits.js";
import type { VisualAnalysis, VisualResultOf } from "../registry/analyses.js";
import type { MediaAnalyzerStatus } from "./media-status.js";

/** The analyses requested for one file. Plain data, because it is passed to another process. */
export interface MediaTask {
  /** Absolute path. */
  file: string;
  facts: MediaFacts;
  /** Of its pictures; empty for audio files. */
  analyses: readonly VisualAnalysis[];
  /** Whether to read the words in its pictures. */
  readsText: boolean;
  /** Whether to transcribe its sound. */
  transcribes: boolean;
  gallery: Gallery;
}

/** Words read in pictures, in reading order, in videos each line once; empty if there are none. */
export interface Reading {
  text: string;
  /** Print in scripts that cannot be read; of a video, the surest line of each script. Absent if there is none. */
  unread?: readonly UnreadWriting[];
  model: ModelRef;
}

/** A line in a script that cannot be read. */
export interface UnreadWriting {
  /** English name of the script, such as `Cyrillic`. */
  script: string;
  box: PlacedBox;
  /** Time of the picture in a video, in seconds to a thousandth. */
  at?: number;
}

/** The results. A failed part has an error, a sentence for a person, instead of a result. */
export interface MediaFindings {
  results: { [T in VisualAnalysis]?: VisualResultOf[T] };
  errors: Partial<Record<VisualAnalysis | "reading" | "transcript", string>>;
  /** The models that made the results. */
  models: Partial<Record<VisualAnalysis, ModelRef>>;
  /** Of `object-id`, if the server rates pictures. */
  nsfw?: NsfwRating;
  /** Absent if it was not requested or failed. */
  reading?: Reading;
  transcript?: Transcript;
  timings: { analysis: VisualAnalysis | "reading" | "transcript" | "decoding"; seconds: number }[];
}

export interface MediaCallOptions {
  /** The file's owner. Default: one for all. */
  owner?: Owner;
  signal?: AbortSignal;
  /** Called when a process starts with the file. */
  onBegun?: () => void;
}

/** Analyses files in separate processes, so that a malicious file cannot affect anything else. */
export interface MediaPool {
  /**
   * Rejects with UnreadableFileError because of the file, with LateFileError because of a busy machine, with the
   * signal's reason on abort, and with another error if no process works. Owners share the processes; one is reserved
   * for owners that use none.
   */
  analyze(task: MediaTask, options?: MediaCallOptions): Promise<MediaFindings>;
  /** The status of every analyzer of files, and of what they need. */
  analyzers(): Promise<MediaAnalyzerStatus[]>;
  /** The 128-number descriptor of the one face in a picture; UnreadableFileError if there is none or more than one. */
  describeFace(file: string, facts: MediaFacts): Promise<number[]>;
  /** Waits for the files in progress, then ends the processes. */
  close(): Promise<void>;
}

export interface MediaPoolOptions extends EngineSettings {
  /** Module that the processes run instead of the built one. */
  child?: URL;
  /** How long an idle process is kept, in milliseconds. */
  idleMs?: number;
  /** Time limits for a picture; sound and video get more in proportion to their duration. */
  limits?: TimeLimits;
  /** Logs the download progress of the speech model. */
  log?: ModelLog;
}

const CHILD = new URL("./media-child.js", import.meta.url);
const IDLE_MS = 60_000;
/** Runtimes do not return their memory; a process of this size is replaced after its file. */
const RSS_MAX_BYTES = 850 * 1024 * 1024;
/** A process has two threads, so this is two minutes on an otherwise idle machine. */
const LIMITS: TimeLimits = { processorMaxMs: 240_000, clockMaxMs: 1_200_000 };
/** Additional processor time per millisecond of sound or video. */
const PROCESSOR_PER_LENGTH = 4;
const CLOCK_PER_LENGTH = 20;

/** Creates a pool; processes and models are started with the first file. */
export const createMediaPool = ({
  child = CHILD,
  idleMs = IDLE_MS,
  limits = LIMITS,
  log,
  ...settings
}: MediaPoolOptions): MediaPool => {
  const processes = new DecodingProcesses({ child, settings, idleMs });
  const speech = new SpeechModelSource(settings, log);
  const run = <T>(call: Call, { durationMs = 0 }: MediaFacts, options: MediaCallOptions): Promise<T> =>
    processes.run(call, {
      ...options,
      processorMaxMs: limits.processorMaxMs + PROCESSOR_PER_LENGTH * durationMs,
      clockMaxMs: limits.clockMaxMs + CLOCK_PER_LENGTH * durationMs,
    });
  const analyze = (task: MediaTask, options: MediaCallOptions): Promise<MediaFindings> =>
    run<MediaFindings>({ name: "analyze", args: [task] }, task.facts, options);
  /** Downloads the speech model first, because a download must not count toward the file's time. */
  const analyzeWithSpeech = async (task: MediaTask, options: MediaCallOptions): Promise<MediaFindings> => {
    const reason = await speech.missing(options.signal);
    if (reason === undefined) return analyze(task, options);
    const findings = await analyze({ ...task, transcribes: false }, options);
    return { ...findings, errors: { ...findings.errors, transcript: reason } };
  };
  return {
    analyze: (task, options = {}) => (task.transcribes ? analyzeWithSpeech(task, options) : analyze(task, options)),
    describeFace: (file, facts) => run<number[]>({ name: "describe", args: [file, facts] }, facts, {}),
    analyzers: async () => (await import("./media-status.js")).describeAnalyzers(settings),
    close: () => {
      speech.close();
      return processes.close();
    },
  };
};

/** Calls of a function of a module, in processes that owners share. */
export class DecodingProcesses {
  private readonly processes: MediaProcesses;
  private readonly limit: FairLimit;

  constructor({ child, settings, idleMs = IDLE_MS }: ProcessOptions & { idleMs?: number | undefined }) {
    this.processes = new MediaProcesses({ child, settings }, idleMs);
    const placesPerOwner = settings.media?.processes ?? 1;
    // One more than an owner may use: a file may take many minutes, and must not block another owner's.
    this.limit = new FairLimit({ places: placesPerOwner + 1, placesPerOwner });
  }

  /** Rejects like `MediaPool.analyze`. */
  run<T>(call: Call, { owner = "", onBegun, ...options }: MediaCallOptions & TimeLimits): Promise<T> {
    const work = (): Promise<T> => {
      onBegun?.();
      return callWithRetry<T>(this.processes, call, options);
    };
    return this.limit.run(owner, work, options.signal);
  }

  close(): Promise<void> {
    return this.processes.close();
  }
}

interface CallOptions extends TimeLimits {
  signal?: AbortSignal | undefined;
}

interface Call {
  name: string;
  args: unknown[];
}

/** A process may have died because of an earlier file, so the file is retried in a new process. */
const callWithRetry = async <T>(processes: MediaProcesses, call: Call, options: CallOptions): Promise<T> => {
  try {
    return await callOnce<T>(processes, call, options);
  } catch (error) {
    if (!(error instanceof ProcessEndedError) || processes.isClosed()) throw error;
    if (error.why !== "died") throw overrunOf(error.why, error);
  }
  try {
    return await callOnce<T>(processes, call, options);
  } catch (error) {
    if (!(error instanceof ProcessEndedError) || processes.isClosed()) throw error;
    if (error.why !== "died") throw overrunOf(error.why, error);
    throw unreadable("the decoder broke down over it, or needed too much memory", error);
  }
};

const overrunOf = (why: Overrun, cause: Error): Error =>
  why === "late"
    ? new LateFileError("the machine was too busy for the file", { cause })
    : unreadable("it takes too long", cause);

const unreadable = (reason: string, cause: Error): UnreadableFileError =>
  new UnreadableFileError(`The file could not be decoded: ${reason}. Try another encoding, or a smaller file.`, {
    cause,
  });

const callOnce = async <T>(processes: MediaProcesses, { name, args }: Call, options: CallOptions): Promise<T> => {
  const process = await processes.acquire();
  const result = await process.call<T>(name, args, options);
  if ("value" in result && result.rssBytes > RSS_MAX_BYTES) await processes.end(process);
  else processes.release(process);
  if ("value" in result) return result.value;
  if ("late" in result) throw new LateFileError(result.late);
  if ("unreadable" in result) throw new UnreadableFileError(result.unreadable);
  throw new Error(result.failed);
};

/** The processes of a pool; idle ones are kept for a while. */
class MediaProcesses {
  private closed = false;
  private readonly idle: { process: MediaProcess; timer: NodeJS.Timeout }[] = [];
  private readonly all = new Set<MediaProcess>();

  constructor(
    private readonly options: Parameters<typeof MediaProcess.start>[0],
    private readonly idleMs: number,
  ) {}

  isClosed(): boolean {
    return this.closed;
  }

  async acquire(): Promise<MediaProcess> {
    if (this.closed) throw new Error("the pool is closed");
    const idle = this.idle.pop();
    if (idle !== undefined) {
      clearTimeout(idle.timer);
      return idle.process;
    }
    const started = await MediaProcess.start(this.options);
    this.all.add(started);
    return started;
  }

  release(process: MediaProcess): void {
    const timer = setTimeout(() => {
      const index = this.idle.findIndex((each) => each.process === process);
      if (index >= 0) this.idle.splice(index, 1);
      void this.end(process);
    }, this.idleMs);
    timer.unref();
    this.idle.push({ process, timer });
  }

  async end(process: MediaProcess): Promise<void> {
    this.all.delete(process);
    await process.end();
  }

  async close(): Promise<void> {
    this.closed = true;
    for (const { timer } of this.idle.splice(0)) clearTimeout(timer);
    await Promise.all([...this.all].map((process) => this.end(process)));
  }
}

/** The process ended before it returned: it died, or was ended because of a time limit. */
class ProcessEndedError extends Error {
  override readonly name = "ProcessEndedError";
  constructor(
    readonly why: "died" | Overrun,
    options: ErrorOptions,
  ) {
    super(why === "died" ? "the process died" : `the process took too long (${why})`, options);
  }
}

/** What a function of the child returns; error classes do not survive the transfer to the parent. */
export type ChildResult<T> =
  { value: T; rssBytes: number } | { unreadable: string } | { late: string } | { failed: string };

interface ProcessOptions {
  /** Module that the process runs. */
  child: URL;
  settings: EngineSettings;
}

/** In MiB. Its heap is small: pictures, tensors and models are outside of it. */
const HEAP_MAX_MB = 768;
/** Enough to load the code on a very busy machine. */
const START_MAX_MS = 120_000;

/** A process that analyzes files, one after the other. */
class MediaProcess {
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
      started.pid = (await pool.exec("start", [settings]).timeout(START_MAX_MS)) as number | undefined;
      return started;
    } catch (error) {
      await started.end();
      throw new Error("the process that analyzes files could not be started", { cause: error });
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
  ): Promise<ChildResult<T>> {
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
      return (await call) as ChildResult<T>;
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
