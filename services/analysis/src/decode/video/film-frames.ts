import type { MediaFacts } from "../../formats/media-facts.js";
import { createFrame } from "../image/frame.js";
import { UnreadableFileError } from "../file-errors.js";
import type { Frame } from "../../visual.js";
import { type Codecs, inBrackets, inputArguments, listenForCodecs } from "./ffmpeg-input.js";
import { type FfmpegRun, type RunEnd, runFfmpeg } from "./ffmpeg-run.js";
import type { Ffmpeg } from "./ffmpeg.js";

/** Selects the frames to read from a video. */
export interface FrameRequest {
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
export const CHANGE_KEY = "lavfi.scene_score";

export interface ReadFrame {
  frame: Frame;
  /** Difference from the frame before, 0 to 1; 0 if the filter does not print `CHANGE_KEY`. */
  change: number;
}

/** Frames in order, and ffmpeg's messages once they have been read. */
export interface FrameRun {
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
export function readFrames(ffmpeg: Ffmpeg, request: FrameRequest): FrameRun {
  const { part, signal } = request;
  const headers = createHeaders(part?.fromMs ?? 0);
  const codecs = listenForCodecs();
  const onLine = (line: string) => {
    headers.hear(line);
    codecs.hear(line);
  };
  const run = runFfmpeg(ffmpeg, argumentsOf(ffmpeg, request), { signal, onLine });
  void run.ended.then(() => headers.end());
  const frames = async function* (): AsyncGenerator<ReadFrame> {
    let count = 0;
    for await (const frame of cut(run, headers)) {
      count++;
      yield frame;
    }
    if (count === 0 && part === undefined) throw unreadable(codecs);
  };
  return { frames: frames(), ended: run.ended };
}

function unreadable(codecs: Codecs): UnreadableFileError {
  const codec = codecs.name("Video");
  return new UnreadableFileError(
    codecs.unknown() && codec !== undefined
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
function createHeaders(fromMs: number) {
  const ready: Header[] = [];
  let last = fromMs;
  let change = 0;
  let ended = false;
  let wake: () => void = () => undefined;
  return {
    hear(line: string): void {
      const score = CHANGE_LINE.exec(line);
      if (score !== null) change = Number(score[1]);
      const found = /showinfo.* n: *\d+ .*pts_time: *([-\d.]+|NOPTS).* s: *(\d+)x(\d+)/.exec(line);
      if (found === null) return;
      const seconds = Number(found[1]);
      // A frame without a time directly follows the one before.
      last = Number.isNaN(seconds) ? last + 1 : Math.max(0, fromMs + Math.round(seconds * 1000));
      ready.push({ atMs: last, width: Number(found[2]), height: Number(found[3]), change });
      change = 0;
      wake();
    },
    end(): void {
      ended = true;
      wake();
    },
    /** Undefined if there are no more. */
    async next(): Promise<Header | undefined> {
      const giveUp = () => {
        ended = true;
        wake();
      };
      // Input that arrived while this process was busy is handled first.
      const timer = setTimeout(() => setImmediate(giveUp), LATE_MS);
      while (ready.length === 0 && !ended) await new Promise<void>((resolve) => (wake = resolve));
      clearTimeout(timer);
      return ready.shift();
    },
  };
}

const CHANGE_LINE = new RegExp(`${CHANGE_KEY.replaceAll(".", "\\.")}=([\\d.]+)`);

/** Splits the output into frames; an incomplete frame at the end is dropped. */
async function* cut(run: FfmpegRun, headers: ReturnType<typeof createHeaders>): AsyncGenerator<ReadFrame> {
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
