import { peek, scan, skip, skipUpTo, skipZeros, type Position, type Reading } from "../byte-reading.js";
import { checkDuration, otherKind, type InspectionLimits } from "../limits.js";
import { UnacceptableFileError, type ContentFacts } from "../media-facts.js";
import {
  findFrames,
  FRAME_HEAD_BYTES,
  isOfOneKind,
  readAnnouncement,
  readFrameHeader,
  refuseOtherSound,
  RUN_FRAMES,
  type Mp3Frame,
} from "./mp3-frame.js";
import { skipRiffHeader, skipTag } from "./mp3-tags.js";
import { damaged } from "../sentences.js";

/** Bytes that are neither tags nor sound in front of the sound; players give up after about as many. */
const JUNK_BYTES_MAX = 1 << 16;
/** Bytes in which frames are sought at a time; several times the longest run. */
const WINDOW_BYTES = 1 << 14;
/** Encoders may or may not count their own frame. */
const ANNOUNCED_FRAMES_TOLERANCE = 1;

/** State of the parser. */
interface Stream {
  /** The first frame, which all others must match. */
  first: Mp3Frame | undefined;
  /** Complete audio frames. */
  frames: number;
  /** Bytes that are neither tags nor frames nor zeros; padding is of zeros. */
  junkBytes: number;
  zeroBytes: number;
  /** Where the first of either is. */
  junkAt: number;
  /** Whether the file ends in the middle of a frame. */
  cut: boolean;
  /** Audio frames that the last stream header announces, and those that followed it. */
  announced: number;
  followed: number;
}

/**
 * Reads an MP3 as players do: tags and frames in any order; between and behind them may be anything, and a little in
 * front of them. `unknown`: nothing at the beginning tells that it is an MP3.
 */
export function* readMp3(limits: InspectionLimits, at: Position, unknown = false): Reading<ContentFacts> {
  const stream: Stream = {
    first: undefined,
    frames: 0,
    junkBytes: 0,
    zeroBytes: 0,
    junkAt: 0,
    cut: false,
    announced: 0,
    followed: 0,
  };
  yield* skipRiffHeader(yield peek(FRAME_HEAD_BYTES), limits);
  for (;;) {
    if (stream.first !== undefined) yield scan((piece) => walkFrames(piece, stream, limits));
    const head = yield peek(FRAME_HEAD_BYTES);
    if (head.length === 0) break;
    const frame = readFrameHeader(head, 0);
    if (frame !== undefined && isOfOneKind(frame, stream.first ?? frame)) {
      yield* readFrame(frame, stream, head);
      checkDuration("sound", durationMs(stream), limits);
    } else if (!(yield* skipTag(head))) {
      if (stream.first === undefined) refuseOtherSound(head);
      yield* skipJunk(stream, at);
    }
    if (isOnlyJunk(stream)) break;
  }
  if (stream.frames === 0 && unknown) throw otherKind(undefined, limits);
  checkSound(stream);
  return { format: "mp3", durationMs: durationMs(stream), hasSound: true, hasPictures: false };
}

function durationMs({ first, frames }: Stream): number {
  return first === undefined ? 0 : Math.round((frames * first.samples * 1000) / first.rate);
}

/**
 * Skips ordinary frames that are complete in the piece, and returns the offset at which it stops. This is the fast
 * path.
 */
function walkFrames(piece: Uint8Array, stream: Stream, limits: InspectionLimits): number {
  let at = 0;
  while (at + FRAME_HEAD_BYTES <= piece.length) {
    const frame = readFrameHeader(piece, at);
    if (frame === undefined || at + frame.bytes > piece.length || !isOfOneKind(frame, stream.first!)) break;
    if (readAnnouncement(piece.subarray(at, at + FRAME_HEAD_BYTES), frame) !== undefined) break;
    stream.followed += 1;
    stream.frames += 1;
    at += frame.bytes;
  }
  checkDuration("sound", durationMs(stream), limits);
  return at;
}

function* readFrame(frame: Mp3Frame, stream: Stream, head: Uint8Array): Reading<void> {
  stream.first ??= frame;
  const announced = readAnnouncement(head, frame);
  if (announced === undefined) {
    stream.followed += 1;
  } else {
    stream.announced = announced;
    stream.followed = 0;
  }
  const whole = (yield* skipUpTo(frame.bytes)) === frame.bytes;
  if (whole && announced === undefined) stream.frames += 1;
  stream.cut = !whole;
}

/** Skips what is neither a tag nor a frame, up to the next frames. */
function* skipJunk(stream: Stream, at: Position): Reading<void> {
  if (stream.junkBytes + stream.zeroBytes === 0) stream.junkAt = at.position;
  const zeros = yield* skipZeros();
  stream.zeroBytes += zeros;
  if (zeros > 0) return;
  while (!isOnlyJunk(stream)) {
    const window = yield peek(WINDOW_BYTES);
    const isLast = window.length < WINDOW_BYTES;
    // The beginning of a frame, too short even for its header.
    if (isLast && window.length < 4) stream.cut = window[0] === 0xff;
    const { junkBytes, frame } = findFrames(window, isLast);
    if (frame !== undefined && !isOfOneKind(frame, stream.first ?? frame)) {
      throw damaged("mp3", `it changes from ${stream.first!.rate} to ${frame.rate} samples a second`);
    }
    yield skip(junkBytes);
    stream.junkBytes += junkBytes;
    if (isLast || frame !== undefined) return;
  }
}

/** Whether so much that is no sound came before so few frames that these are no sound either. */
function isOnlyJunk({ frames, junkBytes, zeroBytes }: Stream): boolean {
  return frames < RUN_FRAMES && junkBytes + zeroBytes > JUNK_BYTES_MAX;
}

function checkSound(stream: Stream): void {
  const { frames, junkBytes, junkAt, announced, followed } = stream;
  if (frames === 0) {
    throw damaged("mp3", junkBytes > 0 ? `no sound of MPEG layer III begins at byte ${junkAt}` : "it has no sound");
  }
  if (isOnlyJunk(stream) || (frames < RUN_FRAMES && junkBytes > 0)) {
    throw new UnacceptableFileError(
      `The file begins like an MP3, but goes on with something else than sound at byte ${junkAt}.`,
    );
  }
  // A sound that was cut between frames was trimmed, and its header left as it was; a transfer breaks off anywhere.
  if (stream.cut && announced - followed > ANNOUNCED_FRAMES_TOLERANCE) {
    throw new UnacceptableFileError(
      `The MP3 file announces ${announced} frames of sound, but ends in the middle of frame ${followed}: a part of it is missing. Send the whole file again.`,
    );
  }
}
