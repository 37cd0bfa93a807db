import {
  latin,
  type Parser,
  peek,
  type Position,
  scan,
  skip,
  skipUpTo,
  skipZeros,
  take,
  uint16le,
  uint32,
  uint32le,
} from "./bytes.js";
import {
  checkDuration,
  type ContentFacts,
  damaged,
  type InspectionLimits,
  otherKind,
  UnacceptableFileError,
} from "./facts.js";

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
 * Reads an MP3 as players do: tags and frames in any order; between and after them may be anything, and a little in
 * front of them. `unknown`: nothing at the beginning tells that it is an MP3.
 */
export function* readMp3(limits: InspectionLimits, at: Position, unknown = false): Parser<ContentFacts> {
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
    if (frame !== undefined && matches(frame, stream.first ?? frame)) {
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
    if (frame === undefined || at + frame.bytes > piece.length || !matches(frame, stream.first!)) break;
    if (readStreamHeader(piece.subarray(at, at + FRAME_HEAD_BYTES), frame) !== undefined) break;
    stream.followed += 1;
    stream.frames += 1;
    at += frame.bytes;
  }
  checkDuration("sound", durationMs(stream), limits);
  return at;
}

function* readFrame(frame: Mp3Frame, stream: Stream, head: Uint8Array): Parser<void> {
  stream.first ??= frame;
  const announced = readStreamHeader(head, frame);
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
function* skipJunk(stream: Stream, at: Position): Parser<void> {
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
    if (frame !== undefined && !matches(frame, stream.first ?? frame)) {
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
      `The file begins like an MP3, but continues with something other than sound at byte ${junkAt}.`,
    );
  }
  // A sound that was cut between frames was trimmed, and its header left as it was; a transfer breaks off anywhere.
  if (stream.cut && announced - followed > ANNOUNCED_FRAMES_TOLERANCE) {
    throw new UnacceptableFileError(
      `The MP3 file announces ${announced} frames of sound, but ends in the middle of frame ${followed}: a part of it is missing. Send the whole file again.`,
    );
  }
}

/**
 * Kilobits per second of layer III by index; first for version 1, then for 2 and 2.5. ISO/IEC 11172-3 2.4.2.3 and
 * 13818-3 2.4.2.3.
 */
const BITRATES = [
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
] as const;
/** By two bits; one value is reserved. */
const VERSIONS = [2.5, undefined, 2, 1] as const;
/** Hertz in version 1; half of it in version 2, a quarter in 2.5. */
const RATES = [44_100, 48_000, 32_000, undefined] as const;

/** Magic numbers of stream headers, as integers because every frame is compared with them. */
const NAME = { Xing: 0x58696e67, Info: 0x496e666f, VBRI: 0x56425249 };

/** Number of bytes needed by `readFrameHeader` and `readAnnouncement`. */
const FRAME_HEAD_BYTES = 64;

/** A frame of layer III. */
interface Mp3Frame {
  /** Including its header. */
  bytes: number;
  /** 1, 2, or 2.5. */
  version: number;
  /** Samples per second. */
  rate: number;
  /** Samples per channel in a frame. */
  samples: number;
  /** Offset of the encoder's stream header in the frame, if the frame is long enough. */
  announcementAt: number;
}

/** Frames in a row that are no accident. */
const RUN_FRAMES = 3;

/** Undefined if no frame of layer III with a known length begins at this offset. */
function readFrameHeader(bytes: Uint8Array, at: number): Mp3Frame | undefined {
  if (bytes.length < at + 4 || bytes[at] !== 0xff || (bytes[at + 1]! & 0xe6) !== 0xe2) return undefined;
  const version = VERSIONS[(bytes[at + 1]! >> 3) & 3];
  const bitrateIndex = bytes[at + 2]! >> 4;
  const rate = RATES[(bytes[at + 2]! >> 2) & 3];
  if (version === undefined || rate === undefined || (bytes[at + 3]! & 3) === 2) return undefined;
  if (bitrateIndex === 0 || bitrateIndex === 15) return undefined;
  return describeFrame(bytes, at, version, rate / (version === 2.5 ? 4 : version));
}

/** Throws if MPEG sound of another layer, or of layer III without a bitrate, begins here. */
function refuseOtherSound(head: Uint8Array): void {
  if (head.length < 4 || head[0] !== 0xff || (head[1]! & 0xe0) !== 0xe0) return;
  const layerBits = (head[1]! >> 1) & 3;
  const bitrateIndex = head[2]! >> 4;
  const reserved = ((head[1]! >> 3) & 3) === 1 || ((head[2]! >> 2) & 3) === 3 || (head[3]! & 3) === 2;
  if (reserved || layerBits === 0 || bitrateIndex === 15) return;
  if (layerBits !== 1) throw damaged("mp3", "its sound is of another MPEG layer than III");
  if (bitrateIndex > 0) return;
  throw new UnacceptableFileError(
    "The MP3 file has no fixed bitrate (“free format”). Save it with an ordinary bitrate.",
  );
}

/** Whether a player can play one after the other. */
function matches(frame: Mp3Frame, { version, rate }: Mp3Frame): boolean {
  return frame.version === version && frame.rate === rate;
}

/**
 * Seeks a run of frames. `junkBytes` precede it, or what could become one with more bytes, or the end; `frame` is its
 * first.
 */
function findFrames(window: Uint8Array, isLast: boolean): { junkBytes: number; frame?: Mp3Frame } {
  for (let at = window.indexOf(0xff); at !== -1; at = window.indexOf(0xff, at + 1)) {
    const frame = startOfRun(window, at);
    if (frame === "unknown" && !isLast) return { junkBytes: at };
    if (frame !== undefined && frame !== "unknown") return { junkBytes: at, frame };
  }
  return { junkBytes: window.length };
}

/** The first frame of a run that begins at this offset, if one does; "unknown" if that is beyond the bytes. */
function startOfRun(bytes: Uint8Array, at: number): Mp3Frame | "unknown" | undefined {
  let first: Mp3Frame | undefined;
  let next = at;
  for (let frames = 0; frames < RUN_FRAMES; frames++) {
    if (next + 4 > bytes.length) return "unknown";
    const frame = readFrameHeader(bytes, next);
    if (frame === undefined || !matches(frame, first ?? frame)) return undefined;
    first ??= frame;
    next += frame.bytes;
  }
  return first;
}

function describeFrame(head: Uint8Array, at: number, version: number, rate: number): Mp3Frame {
  const low = version > 1;
  const samples = low ? 576 : 1152;
  const padding = (head[at + 2]! >> 1) & 1;
  const bitrate = BITRATES[low ? 1 : 0][head[at + 2]! >> 4]! * 1000;
  const mono = head[at + 3]! >> 6 === 3;
  const sideBytes = low ? (mono ? 9 : 17) : mono ? 17 : 32;
  const bytes = Math.floor((samples * bitrate) / 8 / rate) + padding;
  return { bytes, version, rate, samples, announcementAt: 4 + sideBytes };
}

/**
 * The number of audio frames that a frame with a header of Xing (also of LAME and ffmpeg) or of Fraunhofer's encoder
 * ("VBRI") announces, itself not included; 0 if it does not say. Such a frame has no audio. Undefined for audio frames.
 */
function readStreamHeader(head: Uint8Array, frame: Mp3Frame): number | undefined {
  const room = Math.min(frame.bytes, head.length);
  for (let at = frame.announcementAt; at <= frame.announcementAt + 2; at += 2) {
    if (at + 8 > room) return undefined;
    const name = uint32(head, at);
    if (name !== NAME.Xing && name !== NAME.Info) continue;
    const counts = (head[at + 7]! & 1) !== 0 && at + 12 <= room;
    return counts ? uint32(head, at + 8) : 0;
  }
  return room >= 54 && uint32(head, 36) === NAME.VBRI ? uint32(head, 50) : undefined;
}

const ID3V1_BYTES = 128;
const ID3V1_EXTENSION_BYTES = 227;
const APE_HEADER_BYTES = 32;
/** Of Lyrics3 version 1, including its end. */
const LYRICS_BYTES_MAX = 5200;
const LYRICS_BEGIN = "LYRICSBEGIN";
/** Number of MPEG layer III in the header of a RIFF file. */
const RIFF_MP3 = 0x55;
/** A field of Lyrics3 version 2: its name and its size in bytes. */
const LYRICS_FIELD = /^[A-Z0-9]{3}\d{5}$/;

/** Skips a tag of any kind that begins here; `head` is its first bytes. False if there is none. */
function* skipTag(head: Uint8Array): Parser<boolean> {
  if (isId3v2(head)) {
    yield* skipId3v2();
  } else if (latin(head, 0, 4) === "TAG+") {
    yield skip(ID3V1_EXTENSION_BYTES);
  } else if (latin(head, 0, 3) === "TAG") {
    yield skip(ID3V1_BYTES);
  } else if (latin(head, 0, 8) === "APETAGEX") {
    const header = yield take(APE_HEADER_BYTES);
    // The length excludes this header.
    yield skip(uint32le(header, 12));
  } else if (latin(head, 0, LYRICS_BEGIN.length) === LYRICS_BEGIN) {
    yield* skipLyrics();
  } else {
    return false;
  }
  return true;
}

/** ID3v2, www.id3.org; its size is in four bytes of seven bits. */
function isId3v2(head: Uint8Array): boolean {
  if (latin(head, 0, 3) !== "ID3" || head.length < 10) return false;
  return head[3] !== 0xff && head[4] !== 0xff && head.subarray(6, 10).every((byte) => byte < 0x80);
}

function* skipId3v2(): Parser<void> {
  const header = yield take(10);
  const size = header.subarray(6);
  const footer = header[3] === 4 && (header[5]! & 0x10) !== 0;
  yield skip((size[0]! << 21) | (size[1]! << 14) | (size[2]! << 7) | size[3]!);
  if (footer && latin(yield peek(3), 0, 3) === "3DI") yield skip(10);
}

/** Returns at the first byte that is not as it should be. */
function* skipLyrics(): Parser<void> {
  yield skip(LYRICS_BEGIN.length);
  for (;;) {
    const head = yield peek(15);
    if (latin(head, 6, 15) === "LYRICS200") {
      yield skip(15);
      return;
    }
    const field = latin(head, 0, 8);
    if (!LYRICS_FIELD.test(field)) break;
    yield skip(8 + Number(field.slice(3)));
  }
  const text = yield peek(LYRICS_BYTES_MAX);
  const end = latin(text, 0, text.length).indexOf("LYRICSEND");
  if (end !== -1) yield skip(end + "LYRICSEND".length);
}

/**
 * Skips what precedes the sound if the file is a RIFF. Throws UnacceptableFileError if that sound is not MPEG layer III.
 */
function* skipRiffHeader(head: Uint8Array, limits: InspectionLimits): Parser<void> {
  const type = latin(head, 8, 12);
  if (latin(head, 0, 4) !== "RIFF" || (type !== "WAVE" && type !== "RMP3")) return;
  yield skip(12);
  let coding: number | undefined;
  for (;;) {
    const start = yield take(8);
    const [type, bytes] = [latin(start, 0, 4), uint32le(start, 4)];
    if (type === "fmt " && bytes >= 2) coding = uint16le(yield peek(2), 0);
    if (coding !== RIFF_MP3 && (type === "fmt " || type === "data")) throw otherKind("a WAV sound", limits);
    if (type === "data") return;
    yield skip(bytes + (bytes & 1));
  }
}
