import { execFile } from "node:child_process";
import { promisify } from "node:util";

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
export class FfmpegMissingError extends Error {
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
    `ffmpeg ${version} is of ${year} and lacks the security fixes since, yet reads files of strangers: ` +
    "install a newer one (apt install ffmpeg, dnf install ffmpeg-free, brew install ffmpeg, winget install ffmpeg), " +
    "which is taken from PATH at the next start, or set FFMPEG_PATH."
  );
}

async function search(configured: string | undefined): Promise<Ffmpeg> {
  if (configured !== undefined) {
    const ffmpeg = await ask(configured);
    if (ffmpeg !== undefined) return ffmpeg;
    throw new FfmpegMissingError(`FFMPEG_PATH names ${configured}, which is no ffmpeg that runs here: correct it.`);
  }
  for (const place of ["ffmpeg", await inPackage()]) {
    const ffmpeg = place === undefined ? undefined : await ask(place);
    if (ffmpeg !== undefined) return ffmpeg;
  }
  throw new FfmpegMissingError("ffmpeg is missing: install it, or set FFMPEG_PATH.");
}

/** The optional package throws a string on unsupported platforms. */
async function inPackage(): Promise<string | undefined> {
  try {
    const { default: installer } = await import("@ffmpeg-installer/ffmpeg");
    return installer.path;
  } catch {
    return undefined;
  }
}

/** The libavcodec version of ffmpeg 6, which introduced `-fps_mode` for `-vsync`; later versions drop `-vsync`. */
const LIBAVCODEC_OF_6 = 60;
const ANSWER_MS = 10_000;

async function ask(place: string): Promise<Ffmpeg | undefined> {
  try {
    const { stdout } = await run(place, ["-hide_banner", "-version"], { timeout: ANSWER_MS, windowsHide: true });
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
