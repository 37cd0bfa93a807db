import { latin } from "./byte-reading.js";
import type { MediaFormat } from "./media-facts.js";

/** Number of bytes needed for detection. */
export const DETECTION_BYTES = 12;

/**
 * The format, or the name of another kind of file, with its article; both if what it holds decides. Undefined if the
 * beginning tells nothing.
 */
export type Detected = { format: MediaFormat; other?: string } | { other: string } | undefined;

interface Signature {
  at: number;
  /** As characters 0 to 255. */
  magic: string;
  detected: Detected;
}

const SIGNATURES: readonly Signature[] = [
  { at: 0, magic: "\x89PNG\r\n\x1a\n", detected: { format: "png" } },
  { at: 0, magic: "\xff\xd8\xff", detected: { format: "jpg" } },
  { at: 0, magic: "GIF87a", detected: { format: "gif" } },
  { at: 0, magic: "GIF89a", detected: { format: "gif" } },
  { at: 0, magic: "ID3", detected: { format: "mp3" } },
  { at: 0, magic: "APETAGEX", detected: { format: "mp3" } },
  { at: 0, magic: "TAG", detected: { format: "mp3" } },
  { at: 4, magic: "ftypheic", detected: { other: "an HEIC picture" } },
  { at: 4, magic: "ftypheix", detected: { other: "an HEIC picture" } },
  { at: 4, magic: "ftypmif1", detected: { other: "an HEIF picture" } },
  { at: 4, magic: "ftypmsf1", detected: { other: "an HEIF picture" } },
  { at: 4, magic: "ftypavif", detected: { other: "an AVIF picture" } },
  { at: 4, magic: "ftypavis", detected: { other: "an AVIF picture" } },
  { at: 4, magic: "ftypqt  ", detected: { other: "a QuickTime film (MOV)" } },
  { at: 4, magic: "ftypcrx ", detected: { other: "a raw picture of a camera (CR3)" } },
  { at: 4, magic: "ftyp", detected: { format: "mp4" } },
  { at: 4, magic: "moov", detected: { other: "a QuickTime film (MOV)" } },
  { at: 4, magic: "mdat", detected: { other: "a QuickTime film (MOV)" } },
  // Before the part that tells the kind, an MP4 may have these, too.
  ...["free", "skip", "uuid", "wide"].map((magic) => ({
    at: 4,
    magic,
    detected: { format: "mp4", other: "a QuickTime film (MOV)" } as const,
  })),
  { at: 8, magic: "WEBP", detected: { other: "a WebP picture" } },
  { at: 8, magic: "WAVE", detected: { format: "mp3", other: "a WAV sound" } },
  { at: 8, magic: "RMP3", detected: { format: "mp3" } },
  { at: 8, magic: "AVI ", detected: { other: "an AVI film" } },
  { at: 0, magic: "OggS", detected: { other: "an Ogg file" } },
  { at: 0, magic: "fLaC", detected: { other: "a FLAC sound" } },
  { at: 0, magic: "\x1aE\xdf\xa3", detected: { other: "a WebM or Matroska film" } },
  { at: 0, magic: "II*\0", detected: { other: "a TIFF picture" } },
  { at: 0, magic: "MM\0*", detected: { other: "a TIFF picture" } },
  { at: 0, magic: "BM", detected: { other: "a BMP picture" } },
  { at: 0, magic: "%PDF-", detected: { other: "a PDF document" } },
  { at: 0, magic: "PK\x03\x04", detected: { other: "a ZIP archive or an office document" } },
  { at: 0, magic: "\x1f\x8b", detected: { other: "a gzip archive" } },
];

/** Detects the format by the first DETECTION_BYTES bytes, or the whole file if it is shorter. */
export function detectFormat(head: Uint8Array): Detected {
  const known = SIGNATURES.find(({ at, magic }) => latin(head, at, at + magic.length) === magic);
  return known?.detected ?? detectMpegAudio(head);
}

/** Whether it begins like a text, for which no parser needs to read further. */
export function isText(head: Uint8Array): boolean {
  return head.every((byte) => byte === 0x09 || byte === 0x0a || byte === 0x0d || (byte >= 0x20 && byte < 0x7f));
}

/** Eleven one bits, two bits of the version, two of the layer, and one that is set if there is no checksum. */
function detectMpegAudio(head: Uint8Array): Detected {
  if (head.length < 4 || head[0] !== 0xff || (head[1]! & 0xe0) !== 0xe0) return undefined;
  const version = (head[1]! >> 3) & 3;
  const layer = (head[1]! >> 1) & 3;
  const bitrate = head[2]! >> 4;
  const rate = (head[2]! >> 2) & 3;
  if (layer === 0 && (head[1]! & 0xf6) === 0xf0) return { other: "an AAC sound without its container" };
  if (version === 1 || layer === 0 || bitrate === 15 || rate === 3) return undefined;
  return layer === 1 ? { format: "mp3" } : { other: `an MPEG sound of layer ${layer === 3 ? "I" : "II"}` };
}
