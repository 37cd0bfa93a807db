import { type ChildProcessByStdio, execFile, spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { constants, setPriority } from "node:os";
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { LateFileError, type MediaFacts } from "./probe/facts.js";
import { type Overrun, watchTime } from "./time-limits.js";

/** Where to look for ffmpeg. */
export interface FfmpegSettings {
  /** Absolute path of the program; without it PATH and then the package @ffmpeg-installer/ffmpeg are searched. */
  ffmpegPath?: string | undefined;
}

/** The program that decodes videos and sound. */
export interface Ffmpeg {
  /** A name without a folder is looked up in the PATH. */
  readonly path: string;
  /** As reported, for example `7.1.1` or `N-47683-g0e8eb07980-static`. */
  readonly version: string;
  /** The last year of its copyright notice, approximately that of its release; undefined if it has none. */
  readonly year: number | undefined;
  /** The options that pass every frame with its own time; renamed in ffmpeg 6. */
  readonly everyFrame: readonly string[];
}

/** No ffmpeg is available; `message` tells the operator what to do. */
class FfmpegMissingError extends Error {
  override readonly name = "FfmpegMissingError";
}

const run = promisify(execFile);
const known = new Map<string, Promise<Ffmpeg>>();

/** Finds ffmpeg and asks for its version, once per process and setting. Throws FfmpegMissingError. */
export async function findFfmpeg({ ffmpegPath }: FfmpegSettings): Promise<Ffmpeg> {
  const key = ffmpegPath ?? "";
  const found = known.get(key) ?? search(ffmpegPath);
  known.set(key, found);
  try {
    return await found;
  } catch (error) {
    // It may be installed while this process runs.
    known.delete(key);
    throw error;
  }
}

/** The state of ffmpeg: `error` and `warning` tell the operator what to do. */
export type FfmpegStatus =
  { ready: true; path: string; version: string; warning?: string } | { ready: false; error: string };

/** Whether videos and audio can be decoded, and by a version that still gets security fixes. */
export async function ffmpegStatus(settings: FfmpegSettings): Promise<FfmpegStatus> {
  try {
    const { path: place, version, year } = await findFfmpeg(settings);
    const found = { ready: true, path: place, version } as const;
    return year === undefined || year >= MAINTAINED_SINCE ? found : { ...found, warning: outdated(version, year) };
  } catch (error) {
    if (!(error instanceof FfmpegMissingError)) throw error;
    return { ready: false, error: error.message };
  }
}

/** The year of ffmpeg 4.4, the oldest version that Linux distributions still patch. */
const MAINTAINED_SINCE = 2021;

function outdated(version: string, year: number): string {
  return (
    `ffmpeg ${version} is of ${year} and lacks the security fixes since, yet reads untrusted files: ` +
    "install a newer one (apt install ffmpeg, dnf install ffmpeg-free, brew install ffmpeg, winget install ffmpeg), " +
    "which is taken from PATH at the next start, or set FFMPEG_PATH."
  );
}

async function search(configured: string | undefined): Promise<Ffmpeg> {
  if (configured !== undefined) {
    const ffmpeg = await probe(configured);
    if (ffmpeg !== undefined) return ffmpeg;
    throw new FfmpegMissingError(`FFMPEG_PATH names ${configured}, which is no ffmpeg that runs here: correct it.`);
  }
  for (const place of ["ffmpeg", await packagedFfmpeg()]) {
    const ffmpeg = place === undefined ? undefined : await probe(place);
    if (ffmpeg !== undefined) return ffmpeg;
  }
  throw new FfmpegMissingError("ffmpeg is missing: install it, or set FFMPEG_PATH.");
}

/** The optional package throws a string on unsupported platforms. */
async function packagedFfmpeg(): Promise<string | undefined> {
  try {
    const { default: installer } = await import("@ffmpeg-installer/ffmpeg");
    return installer.path;
  } catch {
    return undefined;
  }
}

/** The libavcodec version of ffmpeg 6, which introduced `-fps_mode` for `-vsync`; later versions drop `-vsync`. */
const LIBAVCODEC_OF_6 = 60;
const PROBE_MS = 10_000;

async function probe(place: string): Promise<Ffmpeg | undefined> {
  try {
    const { stdout } = await run(place, ["-hide_banner", "-version"], { timeout: PROBE_MS, windowsHide: true });
    const version = /^ffmpeg version (\S+)/m.exec(stdout)?.[1];
    if (version === undefined) return undefined;
    const codecs = Number(/^libavcodec\s+(\d+)\./m.exec(stdout)?.[1] ?? 0);
    const year = /Copyright \(c\) (?:\d{4}-)?(\d{4}) /.exec(stdout)?.[1];
    const option = codecs >= LIBAVCODEC_OF_6 ? "-fps_mode" : "-vsync";
    return {
      path: place,
      version,
      year: year === undefined ? undefined : Number(year),
      everyFrame: [option, "passthrough"],
    };
  } catch {
    return undefined;
  }
}

interface RunOptions {
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

const children = new Set<Child>();
process.on("exit", () => {
  for (const child of children) child.kill("SIGKILL");
});

/**
 * Runs ffmpeg without a shell, at low priority, with limited memory and time. It ends with its reader, on its caller's
 * signal, and with this process.
 */
export function runFfmpeg(ffmpeg: Ffmpeg, args: readonly string[], options: RunOptions = {}): FfmpegRun {
  options.signal?.throwIfAborted();
  const child = spawnLimited(ffmpeg, [...GUARDS, ...args]);
  const stop = (): void => void child.kill("SIGKILL");
  const lines = readLog(child.stderr, options.onLine);
  const ended = new Promise<RunEnd>((resolve) => {
    const end = (code: number | null, failure?: Error) => {
      children.delete(child);
      options.signal?.removeEventListener("abort", stop);
      const log = [...lines.last, ...(failure === undefined ? [] : [failure.message])].join("\n");
      resolve({ clean: code === 0 && !lines.complained(), log });
    };
    child.once("error", (error) => end(null, error));
    child.once("close", (code) => end(code));
  });
  options.signal?.addEventListener("abort", stop, { once: true });
  return { output: readOutput(child, { stop, ...options }), ended, stop };
}

function spawnLimited(ffmpeg: Ffmpeg, args: readonly string[]): Child {
  const limits = [PRLIMIT, `--as=${MEMORY_BYTES}`, `--cpu=${CPU_SECONDS}`, "--core=0", "--"];
  const wrapping = [...(hasPrlimit() ? limits : []), ...(hasSetpriv() ? [SETPRIV, ...WITH_PARENT] : [])];
  const [program = ffmpeg.path, ...all] = [...wrapping, ffmpeg.path, ...args];
  const child = spawn(program, all, { stdio: ["ignore", "pipe", "pipe"], windowsHide: true });
  children.add(child);
  try {
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It may have ended already, or the platform may not allow it: then it runs at normal priority.
  }
  return child;
}

const hasPrlimit = (): boolean => process.platform === "linux" && existsSync(PRLIMIT);

let setprivWorks: boolean | undefined;

/** Checked once, because older versions do not know the option. */
function hasSetpriv(): boolean {
  setprivWorks ??=
    process.platform === "linux" && spawnSync(SETPRIV, [...WITH_PARENT, SETPRIV, "--version"]).status === 0;
  return setprivWorks;
}

async function* readOutput(
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
function readLog(stderr: Readable, onLine?: (line: string) => void) {
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

/** One demuxer per kind of file, so that a disguised playlist or script is never opened as such. */
const DEMUXERS = { mp4: "mov,mp4,m4a,3gp,3g2,mj2", mp3: "mp3" } as const;

/**
 * Decoders for the codecs that cameras, phones, recorders and editors put into MP4 and MP3; all others are disabled for
 * untrusted files.
 */
const DECODERS = [
  ...["h264", "hevc", "mpeg4", "mpeg2video", "mpeg1video", "h263", "mjpeg", "prores", "png"],
  ...["vp8", "vp9", "libvpx", "libvpx-vp9", "av1", "libdav1d", "libaom-av1", "libgav1"],
  ...["aac", "aac_latm", "mp3", "mp3float", "mp2", "mp2float", "mp1", "mp1float", "ac3", "eac3", "alac", "flac"],
  ...["opus", "libopus", "vorbis", "amrnb", "amrwb", "libopencore_amrnb", "libopencore_amrwb"],
  ...["pcm_s16le", "pcm_s16be", "pcm_s24le", "pcm_s24be", "pcm_f32le", "pcm_f32be", "pcm_mulaw", "pcm_alaw", "pcm_u8"],
];

/** Per frame: 40 megapixels, and the padding that codecs add to fill blocks. */
const FRAME_PIXELS_MAX = 44_000_000;
const THREADS = 2;
const STREAMS_MAX = 64;

/**
 * Arguments that open an untrusted file only in the format of its parsed headers, and nothing else from disk or
 * network.
 */
export function inputArguments(file: string, { format }: Pick<MediaFacts, "format">): string[] {
  if (format !== "mp4" && format !== "mp3") throw new TypeError(`ffmpeg is not given files of the format ${format}`);
  return [
    ...["-protocol_whitelist", "file,pipe", "-format_whitelist", DEMUXERS[format], "-f", format],
    ...[
      "-codec_whitelist",
      DECODERS.join(","),
      "-max_pixels",
      String(FRAME_PIXELS_MAX),
      "-max_streams",
      String(STREAMS_MAX),
    ],
    ...["-threads", String(THREADS), "-i", `file:${file}`],
  ];
}

/** The codecs of the tracks, from the log lines of a run. */
export class CodecLog {
  private readonly names = new Map<string, string>();
  private unknown = false;

  read(line: string): void {
    const track = /^\s*Stream #0:\d+.*?: (Video|Audio): ([\w-]+)(?:.*?\((\w{4}) \/ 0x)?/.exec(line);
    const [, kind = "", codec = "", tag] = track ?? [];
    if (track !== null && !this.names.has(kind)) this.names.set(kind, codec === "none" ? (tag ?? "unknown") : codec);
    if (/not on whitelist|Decoder .*not found|Unknown decoder|Unsupported codec|no decoder/i.test(line))
      this.unknown = true;
  }

  /** For example `h264`; undefined if there is no such track or its codec is unknown. */
  name(track: "Video" | "Audio"): string | undefined {
    return this.names.get(track);
  }

  /** Whether ffmpeg reported that no decoder exists or is enabled. */
  get isUnknown(): boolean {
    return this.unknown;
  }
}

/** ` (flac)`; empty if the codec is unknown. */
export const inBrackets = (codec: string | undefined): string => (codec === undefined ? "" : ` (${codec})`);
