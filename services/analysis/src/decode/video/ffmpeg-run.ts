import { type ChildProcessByStdio, spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { constants, setPriority } from "node:os";
import type { Readable } from "node:stream";
import { LateFileError } from "../file-errors.js";
import { type Overrun, watchTime } from "../time-watch.js";
import type { Ffmpeg } from "./ffmpeg.js";

export interface RunOptions {
  signal?: AbortSignal | undefined;
  /** Called with every line that ffmpeg writes to standard error. */
  onLine?: (line: string) => void;
  /**
   * Ends a run whose output is awaited but that writes nothing for so much processor time, in milliseconds; by
   * wall-clock time it may take ten times as long, because the machine may be busy.
   */
  silenceMs?: number;
  /** Watches the time of a run. Default: by its processor time and the clock. */
  watch?: typeof watchTime;
}

/** How a run ended. */
export interface RunEnd {
  /** Whether ffmpeg reached the end of the file by itself without a complaint. */
  clean: boolean;
  /** Its last log lines: for the operator's log, not for owners of files, because they contain paths. */
  log: string;
}

/** An ffmpeg process. */
export interface FfmpegRun {
  /**
   * Its standard output; rejects with the signal's reason on abort, and with LateFileError if ffmpeg is silent without
   * having had its processor time. Can be read once.
   */
  readonly output: AsyncIterable<Uint8Array>;
  /** Resolves when the process has exited; never rejects. */
  readonly ended: Promise<RunEnd>;
  /** Ends it immediately and discards its output. */
  stop(): void;
}

const SILENCE_MS = 60_000;
const SILENCE_BY_THE_CLOCK = 10;
const LOG_LINES = 20;
const LINE_CHARS_MAX = 2000;
/** Enough for any legitimate file: 40 megapixels at 16 bits, some reference frames, and the program itself. */
const MEMORY_BYTES = 4 * 2 ** 30;
/** Maximum size of one allocation: ffmpeg refuses a block larger than the largest kind of frame before it allocates. */
const BLOCK_BYTES = 2 ** 29;
const CPU_SECONDS = 3600;
/** Tools of util-linux, which all but the smallest Linux systems have. */
const PRLIMIT = "/usr/bin/prlimit";
const SETPRIV = "/usr/bin/setpriv";
/** Makes ffmpeg end together with its parent process, however that ends. */
const WITH_PARENT = ["--pdeathsig", "KILL", "--"];

/** Arguments of every run, before those of the input. */
const GUARDS = ["-nostdin", "-hide_banner", "-loglevel", "info", "-nostats", "-max_alloc", String(BLOCK_BYTES)];

/** Complaints about the file, after which ffmpeg continues with what it can read. */
const COMPLAINT = /^\[[^\]]* @ \w+\].*(?:error|invalid|corrupt|truncat|partial|missing|could not|cannot)/i;

/** Output of filters for every frame. */
const REPORT = /^\[Parsed_(?:showinfo|metadata)/;

type Child = ChildProcessByStdio<null, Readable, Readable>;

const living = new Set<Child>();
process.on("exit", () => {
  for (const child of living) child.kill("SIGKILL");
});

/**
 * Runs ffmpeg without a shell, at low priority, with limited memory and time. It ends with its reader, on its caller's
 * signal, and with this process.
 */
export function runFfmpeg(ffmpeg: Ffmpeg, args: readonly string[], options: RunOptions = {}): FfmpegRun {
  options.signal?.throwIfAborted();
  const child = start(ffmpeg, [...GUARDS, ...args]);
  const stop = (): void => void child.kill("SIGKILL");
  const lines = readLines(child.stderr, options.onLine);
  const ended = new Promise<RunEnd>((resolve) => {
    const end = (code: number | null, failure?: Error) => {
      living.delete(child);
      options.signal?.removeEventListener("abort", stop);
      const log = [...lines.last, ...(failure === undefined ? [] : [failure.message])].join("\n");
      resolve({ clean: code === 0 && !lines.complained(), log });
    };
    child.once("error", (error) => end(null, error));
    child.once("close", (code) => end(code));
  });
  options.signal?.addEventListener("abort", stop, { once: true });
  return { output: read(child, { stop, ...options }), ended, stop };
}

function start(ffmpeg: Ffmpeg, args: readonly string[]): Child {
  const limits = [PRLIMIT, `--as=${MEMORY_BYTES}`, `--cpu=${CPU_SECONDS}`, "--core=0", "--"];
  const wrapping = [...(isBound() ? limits : []), ...(isTied() ? [SETPRIV, ...WITH_PARENT] : [])];
  const [program = ffmpeg.path, ...all] = [...wrapping, ffmpeg.path, ...args];
  const child = spawn(program, all, { stdio: ["ignore", "pipe", "pipe"], windowsHide: true });
  living.add(child);
  try {
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It may have ended already, or the platform may not allow it: then it runs at normal priority.
  }
  return child;
}

const isBound = (): boolean => process.platform === "linux" && existsSync(PRLIMIT);

let tied: boolean | undefined;

/** Checked once, because older versions do not know the option. */
function isTied(): boolean {
  tied ??= process.platform === "linux" && spawnSync(SETPRIV, [...WITH_PARENT, SETPRIV, "--version"]).status === 0;
  return tied;
}

async function* read(
  { stdout, pid }: Child,
  { stop, signal, silenceMs = SILENCE_MS, watch: watchRun = watchTime }: RunOptions & { stop: () => void },
): AsyncGenerator<Uint8Array> {
  const silence: { overrun?: Overrun } = {};
  const onOverrun = (overrun: Overrun): void => {
    silence.overrun = overrun;
    stop();
  };
  // Counts only while the reader waits: a slow reader must not fail the file.
  const watch = () =>
    watchRun(pid, { processorMaxMs: silenceMs, clockMaxMs: SILENCE_BY_THE_CLOCK * silenceMs }, onOverrun);
  let endWatch = watch();
  try {
    for await (const piece of stdout) {
      endWatch();
      yield piece as Buffer;
      endWatch = watch();
    }
    signal?.throwIfAborted();
    if (silence.overrun === "late") throw new LateFileError("the machine was too busy to decode the file");
  } finally {
    endWatch();
    stop();
  }
}

/** Passes on complete lines and keeps the last ones. */
function readLines(stderr: Readable, onLine?: (line: string) => void) {
  const last: string[] = [];
  let rest = "";
  let complaints = 0;
  stderr.setEncoding("utf8");
  stderr.on("data", (piece: string) => {
    const lines = (rest + piece).split(/[\r\n]+/);
    rest = (lines.pop() ?? "").slice(-LINE_CHARS_MAX);
    for (const line of lines) {
      onLine?.(line);
      if (REPORT.test(line)) continue;
      if (COMPLAINT.test(line)) complaints++;
      last.push(line.slice(0, LINE_CHARS_MAX));
      if (last.length > LOG_LINES) last.shift();
    }
  });
  return { last, complained: () => complaints > 0 };
}
