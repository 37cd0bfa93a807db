import { peek, scan, skipUpTo, skipZeros, type Position, type Reading } from "../byte-reading.js";
import { checkDuration, type InspectionLimits } from "../limits.js";
import { UnacceptableFileError, type ContentFacts } from "../media-facts.js";
import { FRAME_HEAD_BYTES, readAnnouncement, readFrameHeader, type Announcement, type Mp3Frame } from "./mp3-frame.js";
import { skipTag } from "./mp3-tags.js";
import { damaged } from "../sentences.js";

/**
 * Maximum total of zeros between tags and frames and at the end. Other bytes are refused: another file may be hidden
 * there.
 */
const PADDING_BYTES_MAX = 1 << 16;
/** Encoders may or may not count their own frame. */
const ANNOUNCED_FRAMES_TOLERANCE = 1;
/** Two of the longest frames. */
const ANNOUNCED_BYTES_TOLERANCE = 2 * 1441;

/** State of the parser. */
interface Stream {
  /** The first frame, which all others must match. */
  first: Mp3Frame | undefined;
  /** Complete audio frames. */
  frames: number;
  paddingBytes: number;
  tagBytes: number;
  /** The current one of several concatenated files. */
  part: { announcement: Announcement | undefined; frames: number; bytes: number };
}

/** Reads an MP3: tags and frames in any order, each frame directly after the one before. */
export function* readMp3(limits: InspectionLimits, at: Position): Reading<ContentFacts> {
  const stream: Stream = { first: undefined, frames: 0, paddingBytes: 0, tagBytes: 0, part: startPart() };
  for (;;) {
    if (stream.first !== undefined) yield scan((piece) => walkFrames(piece, stream, limits));
    const head = yield peek(FRAME_HEAD_BYTES);
    if (head.length === 0) break;
    const frame = readFrameHeader(head);
    if (frame !== undefined) {
      yield* readFrame(frame, stream, head);
      checkDuration("sound", durationMs(stream), limits);
    } else {
      yield* readBetween(head, stream, at);
    }
  }
  endPart(stream);
  if (stream.frames === 0) throw damaged("mp3", "it has no sound");
  return { format: "mp3", durationMs: durationMs(stream), hasSound: true, hasPictures: false };
}

function durationMs({ first, frames }: Stream): number {
  return first === undefined ? 0 : Math.round((frames * first.samples * 1000) / first.rate);
}

function startPart(): Stream["part"] {
  return { announcement: undefined, frames: 0, bytes: 0 };
}

/**
 * Skips ordinary frames that are complete in the piece, and returns the offset at which it stops. This is the fast
 * path.
 */
function walkFrames(piece: Uint8Array, stream: Stream, limits: InspectionLimits): number {
  let at = 0;
  while (at + FRAME_HEAD_BYTES <= piece.length) {
    const head = piece.subarray(at, at + FRAME_HEAD_BYTES);
    const frame = readFrameHeader(head);
    if (frame === undefined || at + frame.bytes > piece.length) break;
    if (readAnnouncement(head, frame) !== undefined) break;
    addFrame(frame, stream);
    stream.frames += 1;
    at += frame.bytes;
  }
  checkDuration("sound", durationMs(stream), limits);
  return at;
}

/** An audio frame whose last bytes may be missing. */
function addFrame(frame: Mp3Frame, { first, part }: Stream): void {
  if (first !== undefined && (frame.version !== first.version || frame.rate !== first.rate)) {
    throw damaged("mp3", `it changes from ${first.rate} to ${frame.rate} samples a second`);
  }
  part.frames += 1;
  part.bytes += frame.bytes;
}

function* readFrame(frame: Mp3Frame, stream: Stream, head: Uint8Array): Reading<void> {
  stream.first ??= frame;
  const announcement = readAnnouncement(head, frame);
  if (announcement === undefined) {
    addFrame(frame, stream);
  } else {
    endPart(stream);
    stream.part = { announcement, frames: 0, bytes: frame.bytes };
  }
  // Recordings that end in the middle of a frame are common and harmless.
  const whole = (yield* skipUpTo(frame.bytes)) === frame.bytes;
  if (whole && announcement === undefined) stream.frames += 1;
}

/** Checks the stream header of the current file against its frames. */
function endPart({ part, tagBytes, paddingBytes }: Stream): void {
  if (part.announcement === undefined) return;
  // Encoders that cannot seek back to the beginning leave zeros.
  const frames = part.announcement.frames ?? 0;
  if (frames > 0 && Math.abs(frames - part.frames) > ANNOUNCED_FRAMES_TOLERANCE) {
    throw damaged("mp3", `it announces ${frames} frames of sound, but has ${part.frames}`);
  }
  const bytes = part.announcement.bytes ?? 0;
  // Some encoders count tags, or omit their own frame.
  const least = part.bytes - ANNOUNCED_BYTES_TOLERANCE;
  const most = part.bytes + tagBytes + paddingBytes + ANNOUNCED_BYTES_TOLERANCE;
  if (bytes > 0 && (bytes < least || bytes > most)) {
    throw damaged("mp3", `it announces ${bytes} bytes of sound, but has ${part.bytes}`);
  }
}

/** Reads tags and zeros. */
function* readBetween(head: Uint8Array, stream: Stream, at: Position): Reading<void> {
  const start = at.position;
  if (yield* skipTag(head)) {
    stream.tagBytes += at.position - start;
    endPart(stream);
    stream.part = startPart();
    return;
  }
  stream.paddingBytes += yield* skipZeros();
  if (at.position > start && stream.paddingBytes <= PADDING_BYTES_MAX) return;
  const where = `at byte ${start}`;
  if (stream.frames === 0) throw damaged("mp3", `no sound of MPEG layer III begins ${where}`);
  throw new UnacceptableFileError(
    `The MP3 file goes on with something else than sound ${where}; another file may hide there. Save the sound anew.`,
  );
}
