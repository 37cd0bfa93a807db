import type { Film, Frame, Showing } from "../types.js";
import {
  CodecLog,
  type Ffmpeg,
  type FfmpegRun,
  type FfmpegSettings,
  findFfmpeg,
  inBrackets,
  inputArguments,
  type RunEnd,
  runFfmpeg,
} from "./ffmpeg.js";
import { createFrame, resizeRegion } from "./frame.js";
import { type MediaFacts, UnreadableFileError } from "./probe/facts.js";

interface FilmOptions {
  settings: FfmpegSettings;
  /** Ends all work for this film. */
  signal?: AbortSignal | undefined;
}

/** Longer side of frames in pixels. */
const FRAME_SIDE = 960;
/** Longer side of the frames of a burst in pixels. */
const BURST_SIDE = 320;
const BURST_FRAMES_MAX = 300;

/** Interval of regular frames in milliseconds; longer if the video would otherwise have too many. */
const STEP_MS = 2000;
const STEPS_MAX = 450;
/** Additional frames at scene changes: a maximum for the first minute, and one for the whole video. */
const CHANGES_AT_ONCE = 50;
const CHANGES_MAX = 150;
/** Maximum number of analyzed frames, whatever the duration. */
const FRAMES_MAX = STEPS_MAX + CHANGES_MAX;
/** Difference (0 to 1) from the frame before that begins a scene: ffmpeg's measure and recommended threshold. */
const CHANGE = 0.3;
/**
 * Frames closer together than this, in seconds, are skipped when scene changes are detected: scaling them is the main
 * cost.
 */
const THINNED_S = 0.11;

/**
 * Opens a video: frames with a longer side of at most 960 pixels, upright, at scene changes and at least every two
 * seconds, with their true times; about 600 at most. The decodable part of a damaged video is used; if nothing can be
 * decoded, reading the frames throws UnreadableFileError. Throws FfmpegMissingError.
 */
export async function openFilm(file: string, facts: MediaFacts, { settings, signal }: FilmOptions): Promise<OpenFilm> {
  const ffmpeg = await findFfmpeg(settings);
  const durationMs = facts.durationMs ?? 0;
  const stepMs = Math.max(STEP_MS, Math.ceil(durationMs / STEPS_MAX));
  const step = stepMs / 1000;
  const thin = `select='isnan(prev_selected_t)+gte(t-prev_selected_t,${THINNED_S})'`;
  // On a fixed time grid, so that a scene change does not delay the next regular frame.
  const regular = `gt(floor(t/${step}),floor(prev_selected_t/${step}))`;
  const chosen = `select='isnan(prev_selected_t)+${regular}+gt(scene,${CHANGE})'`;
  const filter = `${thin},SIZE,format=rgb24,${chosen},metadata=mode=print:key=${CHANGE_KEY}`;
  const { frames, ended } = readFrames(ffmpeg, { file, facts, side: FRAME_SIDE, filter, signal });
  const endOf = async ({ atMs }: Frame): Promise<number> => {
    const { clean } = await ended;
    const soon = atMs + stepMs;
    // The last frame of an intact video is shown to its end, however few frames it has.
    return clean || soon > durationMs ? Math.max(durationMs, atMs) : soon;
  };
  const film: Film = {
    durationMs,
    burst: async (fromMs, { seconds, perSecond }) => {
      const rate = Math.min(perSecond, BURST_FRAMES_MAX / seconds);
      const part = { fromMs, lengthMs: seconds * 1000 };
      const burst = readFrames(ffmpeg, { file, facts, side: BURST_SIDE, filter: `fps=${rate},SIZE`, part, signal });
      return await collect(burst.frames, BURST_FRAMES_MAX);
    },
  };
  return { film, frames: toShots(limitFrames(frames, { stepMs, durationMs }), endOf) };
}

/** Longer side of a film's first picture in pixels. */
const FIRST_SIDE = 1600;

/** The first picture of a film, upright. Throws UnreadableFileError if none can be decoded, and FfmpegMissingError. */
export async function firstPicture(file: string, facts: MediaFacts, { settings, signal }: FilmOptions): Promise<Frame> {
  const ffmpeg = await findFfmpeg(settings);
  const filter = "trim=end_frame=1,SIZE";
  const { frames } = readFrames(ffmpeg, { file, facts, side: FIRST_SIDE, filter, signal });
  for await (const { frame } of frames) return frame;
  throw unreadableVideo(new CodecLog());
}

/** Drops frames at scene changes if there are too many, and ends a video that is longer than declared. */
async function* limitFrames(
  frames: AsyncIterable<ReadFrame>,
  { stepMs, durationMs }: { stepMs: number; durationMs: number },
): AsyncGenerator<SampledFrame> {
  let beforeMs = -1;
  let steps = 0;
  let changes = 0;
  let afterCut = false;
  for await (const { frame, change } of frames) {
    afterCut ||= change > CHANGE;
    const isRegular = Math.floor(frame.atMs / stepMs) > Math.floor(beforeMs / stepMs);
    beforeMs = frame.atMs;
    if (isRegular && ++steps > STEPS_MAX + 1) return;
    const share = Math.min(1, frame.atMs / Math.max(1, durationMs));
    const allowed = CHANGES_AT_ONCE + (CHANGES_MAX - CHANGES_AT_ONCE) * share;
    if (!isRegular && changes >= allowed) continue;
    if (!isRegular) changes++;
    yield { frame, afterCut };
    afterCut = false;
  }
}

async function collect(frames: AsyncIterable<ReadFrame>, most: number): Promise<Frame[]> {
  const collected: Frame[] = [];
  for await (const { frame } of frames) {
    if (collected.length === most) break;
    collected.push(frame);
  }
  return collected;
}

/**
 * Makes a film from the frames of an animation, which are already in memory; at most as many are analyzed as of a
 * video.
 */
export function filmOfAnimation(frames: readonly Frame[], durationMs: number): OpenFilm {
  const film: Film = {
    durationMs,
    burst: async (fromMs, { seconds, perSecond }) =>
      Array.from(
        { length: Math.min(FRAMES_MAX, Math.ceil(seconds * perSecond)) },
        (_, i) => fromMs + (i * 1000) / perSecond,
      )
        .filter((atMs) => atMs < durationMs)
        .flatMap((atMs) => {
          const shown = frames.findLast((frame) => frame.atMs <= atMs);
          return shown === undefined ? [] : [shrinkFrame(shown, atMs)];
        }),
  };
  const every = Math.ceil(frames.length / FRAMES_MAX);
  const chosen = frames.filter((_, i) => i % every === 0);
  return { film, frames: toShots(withCuts(chosen), ({ atMs }) => Math.max(durationMs, atMs)) };
}

function* withCuts(frames: readonly Frame[]): Generator<SampledFrame> {
  let before: Blocks | undefined;
  for (const frame of frames) {
    const blocks = blocksOf(frame);
    yield { frame, afterCut: before !== undefined && isCut(before, blocks) };
    before = blocks;
  }
}

function shrinkFrame(frame: Frame, atMs: number): Frame {
  const factor = Math.min(1, BURST_SIDE / Math.max(frame.width, frame.height));
  const width = Math.max(1, Math.round(frame.width * factor));
  const height = Math.max(1, Math.round(frame.height * factor));
  return createFrame({ width, height, rgb: resizeRegion(frame, { width, height }), atMs: Math.round(atMs) });
}

/** A frame of a film, and the time until which the picture stays similar to it. */
export interface Shot extends Showing {
  readonly frame: Frame;
}

/** A frame as taken from the film. */
type SampledFrame = Pick<Shot, "frame" | "afterCut">;

/** A film ready to be read. `frames` are in order, none similar to the one before, and can be read once. */
export interface OpenFilm {
  film: Film;
  frames: AsyncIterable<Shot>;
}

/**
 * Drops frames that look like the last one passed on: a still scene is analyzed once. `endOf` returns the time until
 * which the last frame is shown.
 */
async function* toShots(
  frames: AsyncIterable<SampledFrame> | Iterable<SampledFrame>,
  endOf: (last: Frame) => Promise<number> | number,
): AsyncGenerator<Shot> {
  let shown: (SampledFrame & { blocks: Float32Array }) | undefined;
  let last: Frame | undefined;
  let cut = false;
  for await (const { frame, afterCut } of frames) {
    last = frame;
    cut ||= afterCut;
    const blocks = blocksOf(frame);
    if (shown !== undefined && isAlike(shown.blocks, blocks)) continue;
    if (shown !== undefined) yield { frame: shown.frame, afterCut: shown.afterCut, untilMs: frame.atMs };
    shown = { frame, blocks, afterCut: cut && shown !== undefined };
    cut = false;
  }
  if (shown === undefined || last === undefined) return;
  yield { frame: shown.frame, afterCut: shown.afterCut, untilMs: Math.max(shown.frame.atMs, await endOf(last)) };
}

const COLUMNS_MAX = 32;
/** Of 255: noise and compression stay below both; a distant face that appears does not. */
const MEAN_DIFFERENCE = 1.5;
const BLOCK_DIFFERENCE = 10;

/** Mean difference, of 255, that counts as a cut. */
const CUT_DIFFERENCE = 30;

/** Mean colors (three channels, 0 to 255) of the blocks of a picture. */
type Blocks = Float32Array;

/** Divides a frame into up to 32 columns of approximately square blocks and computes the mean color of each. */
function blocksOf({ width, height, rgb }: Frame): Blocks {
  const columns = Math.min(COLUMNS_MAX, width);
  const rows = Math.max(1, Math.min(height, Math.round((columns * height) / width)));
  const sums = new Float64Array(columns * rows * 3);
  const counts = new Float64Array(columns * rows);
  const columnOf = Uint16Array.from({ length: width }, (_, x) => Math.floor((x * columns) / width));
  for (let y = 0; y < height; y++) {
    const first = Math.floor((y * rows) / height) * columns;
    for (let x = 0, at = y * width * 3; x < width; x++, at += 3) {
      const block = first + columnOf[x]!;
      sums[block * 3]! += rgb[at]!;
      sums[block * 3 + 1]! += rgb[at + 1]!;
      sums[block * 3 + 2]! += rgb[at + 2]!;
      counts[block]!++;
    }
  }
  return Float32Array.from(sums, (sum, i) => sum / Math.max(1, counts[Math.floor(i / 3)]!));
}

/** Whether there is a cut between two neighboring frames. */
function isCut(a: Blocks, b: Blocks): boolean {
  if (a.length !== b.length) return true;
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += Math.abs(a[i]! - b[i]!);
  return sum > CUT_DIFFERENCE * a.length;
}

/** Whether two frames of one video are the same for the purposes of any analysis. */
function isAlike(a: Blocks, b: Blocks): boolean {
  if (a.length !== b.length) return false;
  let sum = 0;
  for (let i = 0; i < a.length; i++) {
    const difference = Math.abs(a[i]! - b[i]!);
    if (difference > BLOCK_DIFFERENCE) return false;
    sum += difference;
  }
  return sum <= MEAN_DIFFERENCE * a.length;
}

/** Selects the frames to read from a video. */
interface FrameRequest {
  file: string;
  facts: MediaFacts;
  /** Longer side of the frames in pixels; smaller ones keep their size. */
  side: number;
  /** Selects frames, in ffmpeg's filter syntax; applied to frames of the final size. */
  filter: string;
  /** Earliest time of the first frame, and the duration, in milliseconds; the whole video if omitted. */
  part?: { fromMs: number; lengthMs: number };
  signal?: AbortSignal | undefined;
}

/** Metadata key under which ffmpeg's filter `select` stores how much a frame differs from the one before. */
const CHANGE_KEY = "lavfi.scene_score";

interface ReadFrame {
  frame: Frame;
  /** Difference from the frame before, 0 to 1; 0 if the filter does not print `CHANGE_KEY`. */
  change: number;
}

/** Frames in order, and ffmpeg's messages once they have been read. */
interface FrameRun {
  frames: AsyncIterable<ReadFrame>;
  ended: Promise<RunEnd>;
}

/** A frame's header is written before the frame; an ffmpeg with other log messages never writes it. */
const LATE_MS = 10_000;

interface Header {
  atMs: number;
  width: number;
  height: number;
  change: number;
}

/** Reads frames of a video with one ffmpeg. Throws UnreadableFileError on the first read if no frame can be decoded. */
function readFrames(ffmpeg: Ffmpeg, request: FrameRequest): FrameRun {
  const { part, signal } = request;
  const headers = new FrameHeaders(part?.fromMs ?? 0);
  const codecs = new CodecLog();
  const onLine = (line: string) => {
    headers.read(line);
    codecs.read(line);
  };
  const run = runFfmpeg(ffmpeg, argumentsOf(ffmpeg, request), { signal, onLine });
  void run.ended.then(() => headers.end());
  const frames = async function* (): AsyncGenerator<ReadFrame> {
    let count = 0;
    for await (const frame of splitFrames(run, headers)) {
      count++;
      yield frame;
    }
    if (count === 0 && part === undefined) throw unreadableVideo(codecs);
  };
  return { frames: frames(), ended: run.ended };
}

function unreadableVideo(codecs: CodecLog): UnreadableFileError {
  const codec = codecs.name("Video");
  return new UnreadableFileError(
    codecs.isUnknown && codec !== undefined
      ? `The video is encoded with ${codec}, which cannot be decoded here: convert it to H.264, and upload that.`
      : `None of the video's pictures${inBrackets(codec)} can be decoded: it is damaged, or encoded in a way that is not known here. Export it again, as H.264, and upload that.`,
  );
}

function argumentsOf(ffmpeg: Ffmpeg, { file, facts, side, filter, part }: FrameRequest): string[] {
  // Makes pixels square; rotation has already been applied, as in players.
  const factor = `min(1,${side}/max(iw*sar,ih))`;
  const size = `scale=w='max(1,round(iw*sar*${factor}))':h='max(1,round(ih*${factor}))':flags=area`;
  const seconds = (ms: number): string => (ms / 1000).toFixed(3);
  return [
    ...(part === undefined ? [] : ["-ss", seconds(part.fromMs), "-t", seconds(part.lengthMs)]),
    ...inputArguments(file, facts),
    // Excludes pictures that belong to an audio track, for example covers.
    ...["-map", "0:V:0", "-an", "-sn", "-dn", "-filter_threads", "1"],
    ...["-vf", filter.replace("SIZE", size).concat(",format=rgb24,showinfo")],
    ...ffmpeg.everyFrame,
    ...["-f", "rawvideo", "-pix_fmt", "rgb24", "pipe:1"],
  ];
}

/**
 * Parses the output of the filter `showinfo` for each frame, which is written before the frame itself arrives on
 * another pipe; the filter `metadata` prints the frame's difference before that.
 */
class FrameHeaders {
  private readonly ready: Header[] = [];
  private lastMs: number;
  private change = 0;
  private ended = false;
  private wake: () => void = () => undefined;

  constructor(private readonly fromMs: number) {
    this.lastMs = fromMs;
  }

  read(line: string): void {
    const score = CHANGE_LINE.exec(line);
    if (score !== null) this.change = Number(score[1]);
    const found = /showinfo.* n: *\d+ .*pts_time: *([-\d.]+|NOPTS).* s: *(\d+)x(\d+)/.exec(line);
    if (found === null) return;
    const seconds = Number(found[1]);
    // A frame without a time directly follows the one before.
    this.lastMs = Number.isNaN(seconds) ? this.lastMs + 1 : Math.max(0, this.fromMs + Math.round(seconds * 1000));
    this.ready.push({ atMs: this.lastMs, width: Number(found[2]), height: Number(found[3]), change: this.change });
    this.change = 0;
    this.wake();
  }

  end(): void {
    this.ended = true;
    this.wake();
  }

  /** Undefined if there are no more. */
  async next(): Promise<Header | undefined> {
    // Input that arrived while this process was busy is handled first.
    const timer = setTimeout(() => setImmediate(() => this.end()), LATE_MS);
    while (this.ready.length === 0 && !this.ended) await new Promise<void>((resolve) => (this.wake = resolve));
    clearTimeout(timer);
    return this.ready.shift();
  }
}

const CHANGE_LINE = new RegExp(`${CHANGE_KEY.replaceAll(".", "\\.")}=([\\d.]+)`);

/** Splits the output into frames; an incomplete frame at the end is dropped. */
async function* splitFrames(run: FfmpegRun, headers: FrameHeaders): AsyncGenerator<ReadFrame> {
  let open: { header: Header; rgb: Uint8Array; filled: number } | undefined;
  for await (const piece of run.output) {
    let at = 0;
    while (at < piece.byteLength) {
      if (open === undefined) {
        const header = await headers.next();
        if (header === undefined) return;
        open = { header, rgb: new Uint8Array(header.width * header.height * 3), filled: 0 };
      }
      const take = Math.min(piece.byteLength - at, open.rgb.byteLength - open.filled);
      open.rgb.set(piece.subarray(at, at + take), open.filled);
      at += take;
      open.filled += take;
      if (open.filled < open.rgb.byteLength) break;
      const { header, rgb } = open;
      const { change, ...shape } = header;
      open = undefined;
      yield { frame: createFrame({ ...shape, rgb }), change };
    }
  }
}
