import { createReadStream } from "node:fs";
import { type Values, variable } from "@hourglass/runtime";
import { ByteDriver, latin, type Parser, peek, type Position } from "./bytes.js";
import {
  type ContentFacts,
  type InspectionLimits,
  type MediaFacts,
  type MediaFormat,
  otherKind,
  UnacceptableFileError,
  UPLOAD_FORMATS,
} from "./facts.js";
import { readGif } from "./gif.js";
import { readJpg } from "./jpg.js";
import { readMp3 } from "./mp3.js";
import { readMp4 } from "./mp4.js";
import { readPng } from "./png.js";

/** Inspects a file as it arrives, in constant memory. */
export interface Inspector {
  /** The next bytes, any number; they are not retained. Throws UnacceptableFileError as early as possible. */
  write(chunk: Uint8Array): void;
  /** Signals that all bytes were written. Throws UnacceptableFileError; may be called again. */
  end(): MediaFacts;
}

type FormatParser = (limits: InspectionLimits, at: Position) => Parser<ContentFacts>;

const PARSERS: Record<MediaFormat, FormatParser> = {
  png: readPng,
  jpg: readJpg,
  gif: readGif,
  mp3: readMp3,
  mp4: readMp4,
};

function* readMedia(limits: InspectionLimits, at: Position): Parser<ContentFacts> {
  const head = yield peek(DETECTION_BYTES);
  if (head.length === 0) throw new UnacceptableFileError("The file is empty.");
  const detected = detectFormat(head);
  const accepts = (format: MediaFormat) => (limits.formats ?? UPLOAD_FORMATS).includes(format);
  if (detected === undefined) {
    // Sound that was cut or recorded from a stream may begin in the middle of a frame.
    if (accepts("mp3") && !isText(head)) return yield* readMp3(limits, at, true);
    throw otherKind(undefined, limits);
  }
  const { other } = detected;
  if (!("format" in detected)) throw otherKind(other, limits);
  const { format } = detected;
  if (!accepts(format)) throw otherKind(other ?? `a ${format.toUpperCase()} file`, limits);
  return yield* PARSERS[format](limits, at);
}

/** For one file. */
export function createInspector(limits: InspectionLimits): Inspector {
  const driver = new ByteDriver((at) => readMedia(limits, at), limits.sizeBytesMax ?? Infinity);
  let facts: MediaFacts | undefined;
  let failure: Error | undefined;
  /** A refused file stays refused, whatever follows. */
  const refusing = <T>(act: () => T): T => {
    if (failure !== undefined) throw failure;
    try {
      return act();
    } catch (error) {
      failure = error instanceof Error ? error : new Error("Cannot read the file.", { cause: error });
      throw failure;
    }
  };
  return {
    write: (chunk) => refusing(() => driver.write(chunk)),
    end: () =>
      refusing(() => {
        if (facts === undefined) {
          const { result, sizeBytes } = driver.end();
          facts = { ...result, sizeBytes };
        }
        return facts;
      }),
  };
}

/**
 * Passes the stream on unchanged while the inspector reads it. Throws UnacceptableFileError before the faulty piece, or
 * at the end if something is missing; after a normal end, `inspector.end()` returns the facts.
 */
export async function* inspecting(stream: AsyncIterable<Uint8Array>, inspector: Inspector): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream) {
    inspector.write(chunk);
    yield chunk;
  }
  inspector.end();
}

/** Inspects a whole file, and stops reading as soon as it is refused. Throws UnacceptableFileError. */
export async function inspect(stream: AsyncIterable<Uint8Array>, limits: InspectionLimits): Promise<MediaFacts> {
  const inspector = createInspector(limits);
  for await (const chunk of stream) inspector.write(chunk);
  return inspector.end();
}

/** Inspects a file on disk in the same way. */
export async function inspectFile(file: string, limits: InspectionLimits): Promise<MediaFacts> {
  return inspect(createReadStream(file) as AsyncIterable<Uint8Array>, limits);
}

/** Number of bytes needed for detection. */
const DETECTION_BYTES = 12;

/**
 * The format, or the name of another kind of file, with its article; both if what it holds decides. Undefined if the
 * beginning tells nothing.
 */
type Detected = { format: MediaFormat; other?: string } | { other: string } | undefined;

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
function detectFormat(head: Uint8Array): Detected {
  const known = SIGNATURES.find(({ at, magic }) => latin(head, at, at + magic.length) === magic);
  return known?.detected ?? detectMpegAudio(head);
}

/** Whether it begins like a text, for which no parser needs to read further. */
function isText(head: Uint8Array): boolean {
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

/** Limits of uploaded and fetched files, which both Media and the analyses enforce. */
export const FILE_LIMIT_VARIABLES = {
  /** Maximum number of pixels of a picture, and of a frame of a video. */
  MAX_IMAGE_PIXELS: variable.integer(1, 268_435_456, 40_000_000),
  /** Maximum duration of sound and video, in seconds. */
  MAX_MEDIA_SECONDS: variable.integer(1, 86_400, 900),
} as const;

/** The program that decodes sound and video. */
export const DECODER_VARIABLES = {
  /** The ffmpeg program; if unset, the one on the PATH or the one that npm installed. */
  FFMPEG_PATH: variable.text().optional(),
} as const;

export interface FileLimits {
  imagePixelsMax: number;
  durationMsMax: number;
}

/** The limits set by the variables. */
export function toFileLimits(values: Values<typeof FILE_LIMIT_VARIABLES>): FileLimits {
  return { imagePixelsMax: values.MAX_IMAGE_PIXELS, durationMsMax: values.MAX_MEDIA_SECONDS * 1000 };
}
