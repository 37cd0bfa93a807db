import { uint16, uint32 } from "../byte-reading.js";
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

/** Information about the stream that its first frame may contain. */
export interface Announcement {
  /** Number of audio frames, without the frame that contains this. */
  frames: number | undefined;
  /** Size of all frames. */
  bytes: number | undefined;
}

/** Undefined if no MPEG audio frame begins here. Throws for another layer and for a frame without a bitrate. */
export function readFrameHeader(head: Uint8Array): Mp3Frame | undefined {
  if (head.length < 4 || head[0] !== 0xff || (head[1]! & 0xe0) !== 0xe0) return undefined;
  const version = VERSIONS[(head[1]! >> 3) & 3];
  const layerBits = (head[1]! >> 1) & 3;
  const bitrateIndex = head[2]! >> 4;
  const rate = RATES[(head[2]! >> 2) & 3];
  const reserved = version === undefined || rate === undefined || bitrateIndex === 15 || (head[3]! & 3) === 2;
  if (reserved || layerBits === 0) return undefined;
  if (layerBits !== 1) throw damaged("mp3", "a part of it is MPEG sound of another layer than III");
  if (bitrateIndex === 0) {
    throw new UnacceptableFileError(
      "The MP3 file has no fixed bitrate (“free format”). Save it with an ordinary bitrate.",
    );
  }
  return describe(head, version, rate / (version === 2.5 ? 4 : version));
}

function describe(head: Uint8Array, version: number, rate: number): Mp3Frame {
  const low = version > 1;
  const samples = low ? 576 : 1152;
  const padding = (head[2]! >> 1) & 1;
  const bitrate = BITRATES[low ? 1 : 0][head[2]! >> 4]! * 1000;
  const mono = head[3]! >> 6 === 3;
  const sideBytes = low ? (mono ? 9 : 17) : mono ? 17 : 32;
  const bytes = Math.floor((samples * bitrate) / 8 / rate) + padding;
  return { bytes, version, rate, samples, announcementAt: 4 + sideBytes };
}

/**
 * The information about the stream in a frame with a header of Xing (also of LAME and ffmpeg) or of Fraunhofer's
 * encoder ("VBRI"); such a frame has no audio. Undefined for audio frames.
 */
export function readAnnouncement(head: Uint8Array, frame: Mp3Frame): Announcement | undefined {
  const room = Math.min(frame.bytes, head.length);
  for (let at = frame.announcementAt; at <= frame.announcementAt + 2; at += 2) {
    if (at + 8 > room) return undefined;
    const name = uint32(head, at);
    if (name === NAME.Xing || name === NAME.Info) return readXing(head.subarray(0, room), at);
  }
  if (room < 54 || uint32(head, 36) !== NAME.VBRI) return undefined;
  return { bytes: uint32(head, 46), frames: uint32(head, 50) };
}

function readXing(bytes: Uint8Array, at: number): Announcement {
  const flags = uint16(bytes, at + 6);
  const framesAt = at + 8;
  const bytesAt = framesAt + ((flags & 1) === 0 ? 0 : 4);
  const read = (flag: number, from: number): number | undefined =>
    (flags & flag) !== 0 && bytes.length >= from + 4 ? uint32(bytes, from) : undefined;
  return { frames: read(1, framesAt), bytes: read(2, bytesAt) };
}
