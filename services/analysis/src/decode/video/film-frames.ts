import type { MediaFacts } from "../../formats/media-facts.js";
import { createFrame } from "../image/frame.js";
import { UnreadableFileError } from "../file-errors.js";
import type { Frame } from "../../visual.js";
import { type Codecs, inBrackets, inputArguments, listenForCodecs } from "./ffmpeg-input.js";
import { type FfmpegRun, type RunEnd, runFfmpeg } from "./ffmpeg-run.js";
import type { Ffmpeg } from "./ffmpeg.js";

/** What is to be read of a video. */
export interface FrameRequest {
  file: string;
  facts: MediaFacts;
  /** Longer side of the frames in pixels; smaller ones keep their size. */
  side: number;
  /** Which frames, in the language of ffmpeg's filters; sees frames of the final size. */
  filter: string;
  /** Of the first frame that may come, and how long, in milliseconds; without it the whole video. */
  part?: { fromMs: number; lengthMs: number };
  signal?: AbortSignal | undefined;
}

/** Under which ffmpeg's filter `select` notes how much a frame differs from the one before. */
export const CHANGE_KEY = "lavfi.scene_score";

export interface ReadFrame {
  frame: Frame;
  /** Share of 1 by which the frame differs from the one before; 0 where the filter does not print `CHANGE_KEY`. */
  change: number;
}

/** Frames in order, and what ffmpeg had to say once they are read. */
export interface FrameRun {
  frames: AsyncIterable<ReadFrame>;
  ended: Promise<RunEnd>;
}

/** What is said of a frame is written before it; it does not arrive at all from an ffmpeg that speaks another language. */
const LATE_MS = 10_000;

interface Header {
  atMs: number;
  width: number;
  height: number;
  change: number;
}

/** Reads frames of a video with one ffmpeg. Throws UnreadableFileError at the first frame when there is none to be had. */
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
  // Pixels that are not square are made so; rotation was applied before, as players do.
  const factor = `min(1,${side}/max(iw*sar,ih))`;
  const size = `scale=w='max(1,round(iw*sar*${factor}))':h='max(1,round(ih*${factor}))':flags=area`;
  const seconds = (ms: number): string => (ms / 1000).toFixed(3);
  return [
    ...(part === undefined ? [] : ["-ss", seconds(part.fromMs), "-t", seconds(part.lengthMs)]),
    ...inputArguments(file, facts),
    // Without pictures that belong to a sound track, such as covers.
    ...["-map", "0:V:0", "-an", "-sn", "-dn", "-filter_threads", "1"],
    ...["-vf", filter.replace("SIZE", size).concat(",format=rgb24,showinfo")],
    ...ffmpeg.everyFrame,
    ...["-f", "rawvideo", "-pix_fmt", "rgb24", "pipe:1"],
  ];
}

/**
 * What the filter `showinfo` says about each frame, before the frame itself arrives on another pipe; `metadata` has said before
 * that how much it differs.
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
      // A frame without a time comes right after the one before.
      last = Number.isNaN(seconds) ? last + 1 : Math.max(0, fromMs + Math.round(seconds * 1000));
      ready.push({ atMs: last, width: Number(found[2]), height: Number(found[3]), change });
      change = 0;
      wake();
    },
    end(): void {
      ended = true;
      wake();
    },
    /** Undefined when no more will come. */
    async next(): Promise<Header | undefined> {
      const giveUp = () => {
        ended = true;
        wake();
      };
      // What has come in while this process was busy is heard first.
      const timer = setTimeout(() => setImmediate(giveUp), LATE_MS);
      while (ready.length === 0 && !ended) await new Promise<void>((resolve) => (wake = resolve));
      clearTimeout(timer);
      return ready.shift();
    },
  };
}

const CHANGE_LINE = new RegExp(`${CHANGE_KEY.replaceAll(".", "\\.")}=([\\d.]+)`);

/** Cuts the output into frames; what is left of a frame at the end was never finished. */
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
