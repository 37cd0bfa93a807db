import pLimit from "p-limit";
import type { EngineSettings } from "../engines.js";
import type { MediaFacts } from "../formats/media-facts.js";
import { createSpeechSupply, type SpeechSupply } from "../speech/speech-supply.js";
import type { ModelLog } from "../transformers/ensure-models.js";
import { MediaProcess, ProcessEndedError } from "./media-process.js";
import { type MediaFindings, type MediaPool, type MediaTask, UnreadableFileError } from "./media-task.js";

export interface MediaPoolOptions extends EngineSettings {
  /** Module that the processes run, in place of the built one. */
  child?: URL;
  /** A process without work ends after so long, in milliseconds. */
  idleMs?: number;
  /** A file that needs longer is given up: so many milliseconds, and twice its own length. */
  timeMaxMs?: number;
  /** Told how far the download of the model of speech is. */
  log?: ModelLog;
}

const CHILD = new URL("./media-child.js", import.meta.url);
const IDLE_MS = 60_000;
/** What runtimes have set aside is not given back; a process of this size makes room for a new one after its file. */
const RSS_MAX_BYTES = 850 * 1024 * 1024;
const TIME_MAX_MS = 120_000;
const TIME_PER_LENGTH = 2;

/** Starts a pool; processes and models are there when the first file comes. */
export const createMediaPool = ({
  child = CHILD,
  idleMs = IDLE_MS,
  timeMaxMs = TIME_MAX_MS,
  log,
  ...settings
}: MediaPoolOptions): MediaPool => {
  const timeFor = ({ durationMs = 0 }: MediaFacts): number => timeMaxMs + TIME_PER_LENGTH * durationMs;
  const processes = new Processes({ child, settings }, idleMs);
  const limit = pLimit(settings.media?.processes ?? 1);
  const speech = createSpeechSupply(settings, log);
  const call = <T>(name: string, args: unknown[], options: CallOptions): Promise<T> =>
    limit(() => callTwice<T>(processes, { name, args }, options));
  const analyze = (task: MediaTask, signal: AbortSignal | undefined): Promise<MediaFindings> =>
    call<MediaFindings>("analyze", [task], { timeMaxMs: timeFor(task.facts), signal });
  return {
    analyze: (task, { signal } = {}) =>
      task.hears ? withSpeech(speech, task, { analyze, signal }) : analyze(task, signal),
    describeFace: (file, facts) => call<number[]>("describe", [file, facts], { timeMaxMs: timeFor(facts) }),
    analyzers: async () => (await import("./describe-analyzers.js")).describeAnalyzers(settings),
    close: () => {
      speech.close();
      return processes.close();
    },
  };
};

interface Analysis {
  analyze: (task: MediaTask, signal: AbortSignal | undefined) => Promise<MediaFindings>;
  signal: AbortSignal | undefined;
}

/** Fetches the model first, since a download must not cost the file its time. */
const withSpeech = async (
  speech: SpeechSupply,
  task: MediaTask,
  { analyze, signal }: Analysis,
): Promise<MediaFindings> => {
  const reason = await speech.lacking(signal);
  if (reason === undefined) return analyze(task, signal);
  const findings = await analyze({ ...task, hears: false }, signal);
  return { ...findings, errors: { ...findings.errors, transcript: reason } };
};

interface CallOptions {
  timeMaxMs: number;
  signal?: AbortSignal | undefined;
}

interface Call {
  name: string;
  args: unknown[];
}

/** A process may have died of what came before, so a file gets a second one to itself. */
const callTwice = async <T>(processes: Processes, call: Call, options: CallOptions): Promise<T> => {
  try {
    return await callOnce<T>(processes, call, options);
  } catch (error) {
    if (!(error instanceof ProcessEndedError) || processes.isClosed()) throw error;
    if (error.why === "late") throw unreadable("it takes too long", error);
  }
  try {
    return await callOnce<T>(processes, call, options);
  } catch (error) {
    if (!(error instanceof ProcessEndedError) || processes.isClosed()) throw error;
    throw unreadable("the decoder broke down over it, or needed too much memory", error);
  }
};

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
  if ("unreadable" in answer) throw new UnreadableFileError(answer.unreadable);
  throw new Error(answer.failed);
};

/** Processes that have no work, kept for a while. */
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
