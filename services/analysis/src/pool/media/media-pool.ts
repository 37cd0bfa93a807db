import { FairLimit } from "@hourglass/runtime/fair-limit";
import type { EngineSettings } from "../../engine-settings.js";
import type { MediaFacts } from "../../formats/media-facts.js";
import { createSpeechSupply, type SpeechSupply } from "../../speech/speech-supply.js";
import type { ModelLog } from "../../engines/transformers/models/download-model.js";
import { MediaProcess, ProcessEndedError } from "./media-process.js";
import { LateFileError, UnreadableFileError } from "../../decode/file-errors.js";
import type { MediaCallOptions, MediaFindings, MediaPool, MediaTask } from "./media-task.js";
import type { Overrun, TimeLimits } from "../../decode/time-watch.js";

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
  const limitsFor = ({ durationMs = 0 }: MediaFacts): TimeLimits => ({
    processorMaxMs: limits.processorMaxMs + PROCESSOR_PER_LENGTH * durationMs,
    clockMaxMs: limits.clockMaxMs + CLOCK_PER_LENGTH * durationMs,
  });
  const processes = new Processes({ child, settings }, idleMs);
  const placesPerOwner = settings.media?.processes ?? 1;
  // One more than an owner may use: a file may take many minutes, and must not block another owner's.
  const limit = new FairLimit({ places: placesPerOwner + 1, placesPerOwner });
  const speech = createSpeechSupply(settings, log);
  const run = <T>(call: Call, facts: MediaFacts, { owner = "", signal, onBegun }: MediaCallOptions): Promise<T> => {
    const work = (): Promise<T> => {
      onBegun?.();
      return callTwice<T>(processes, call, { ...limitsFor(facts), signal });
    };
    return limit.run(owner, work, signal);
  };
  const analyze = (task: MediaTask, options: MediaCallOptions): Promise<MediaFindings> =>
    run<MediaFindings>({ name: "analyze", args: [task] }, task.facts, options);
  return {
    analyze: (task, options = {}) =>
      task.hears ? withSpeech(speech, task, { analyze, options }) : analyze(task, options),
    describeFace: (file, facts) => run<number[]>({ name: "describe", args: [file, facts] }, facts, {}),
    analyzers: async () => (await import("./describe-analyzers.js")).describeAnalyzers(settings),
    close: () => {
      speech.close();
      return processes.close();
    },
  };
};

interface Analysis {
  analyze: (task: MediaTask, options: MediaCallOptions) => Promise<MediaFindings>;
  options: MediaCallOptions;
}

/** Downloads the model first, because a download must not count towards the file's time. */
const withSpeech = async (
  speech: SpeechSupply,
  task: MediaTask,
  { analyze, options }: Analysis,
): Promise<MediaFindings> => {
  const reason = await speech.lacking(options.signal);
  if (reason === undefined) return analyze(task, options);
  const findings = await analyze({ ...task, hears: false }, options);
  return { ...findings, errors: { ...findings.errors, transcript: reason } };
};

interface CallOptions extends TimeLimits {
  signal?: AbortSignal | undefined;
}

interface Call {
  name: string;
  args: unknown[];
}

/** A process may have died because of an earlier file, so the file is retried in a new process. */
const callTwice = async <T>(processes: Processes, call: Call, options: CallOptions): Promise<T> => {
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

const callOnce = async <T>(processes: Processes, { name, args }: Call, options: CallOptions): Promise<T> => {
  const process = await processes.take();
  const answer = await process.call<T>(name, args, options);
  if ("value" in answer && answer.rssBytes > RSS_MAX_BYTES) await processes.end(process);
  else processes.giveBack(process);
  if ("value" in answer) return answer.value;
  if ("late" in answer) throw new LateFileError(answer.late);
  if ("unreadable" in answer) throw new UnreadableFileError(answer.unreadable);
  throw new Error(answer.failed);
};

/** Idle processes, kept for a while. */
class Processes {
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

  async take(): Promise<MediaProcess> {
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

  giveBack(process: MediaProcess): void {
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
