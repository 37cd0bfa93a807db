import { uint32 } from "../byte-reading.js";
import { UnacceptableFileError } from "../media-facts.js";
import { damaged } from "../sentences.js";

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
export const FRAME_HEAD_BYTES = 64;

/** A frame of layer III. */
export interface Mp3Frame {
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
export const RUN_FRAMES = 3;

/** Undefined if no frame of layer III with a known length begins at this offset. */
export function readFrameHeader(bytes: Uint8Array, at: number): Mp3Frame | undefined {
  if (bytes.length < at + 4 || bytes[at] !== 0xff || (bytes[at + 1]! & 0xe6) !== 0xe2) return undefined;
  const version = VERSIONS[(bytes[at + 1]! >> 3) & 3];
  const bitrateIndex = bytes[at + 2]! >> 4;
  const rate = RATES[(bytes[at + 2]! >> 2) & 3];
  if (version === undefined || rate === undefined || (bytes[at + 3]! & 3) === 2) return undefined;
  if (bitrateIndex === 0 || bitrateIndex === 15) return undefined;
  return describe(bytes, at, version, rate / (version === 2.5 ? 4 : version));
}

/** Throws if MPEG sound of another layer, or of layer III without a bitrate, begins here. */
export function refuseOtherSound(head: Uint8Array): void {
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
export function isOfOneKind(frame: Mp3Frame, { version, rate }: Mp3Frame): boolean {
  return frame.version === version && frame.rate === rate;
}

/**
 * Seeks a run of frames. `junkBytes` precede it, or what could become one with more bytes, or the end; `frame` is its
 * first.
 */
export function findFrames(window: Uint8Array, isLast: boolean): { junkBytes: number; frame?: Mp3Frame } {
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
    if (frame === undefined || !isOfOneKind(frame, first ?? frame)) return undefined;
    first ??= frame;
    next += frame.bytes;
  }
  return first;
}

function describe(head: Uint8Array, at: number, version: number, rate: number): Mp3Frame {
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
export function readAnnouncement(head: Uint8Array, frame: Mp3Frame): number | undefined {
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
