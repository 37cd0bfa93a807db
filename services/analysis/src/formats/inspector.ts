import { createReadStream } from "node:fs";

import { ByteDriver } from "./byte-driver.js";
import { peek, type Position, type Reading } from "./byte-reading.js";
import { DETECTION_BYTES, detectFormat, isText } from "./detection.js";
import { readGif } from "./gif.js";
import { readJpg } from "./jpg/jpg.js";
import { otherKind, UPLOAD_FORMATS, type InspectionLimits } from "./limits.js";
import { UnacceptableFileError, type ContentFacts, type MediaFacts, type MediaFormat } from "./media-facts.js";
import { readMp3 } from "./mp3/mp3.js";
import { readMp4 } from "./mp4/mp4.js";
import { readPng } from "./png.js";

/** Inspects a file as it arrives, in constant memory. */
export interface Inspector {
  /** The next bytes, any number; they are not retained. Throws UnacceptableFileError as early as possible. */
  write(chunk: Uint8Array): void;
  /** Signals that all bytes were written. Throws UnacceptableFileError; may be called again. */
  end(): MediaFacts;
}

type Parser = (limits: InspectionLimits, at: Position) => Reading<ContentFacts>;

const PARSERS: Record<MediaFormat, Parser> = { png: readPng, jpg: readJpg, gif: readGif, mp3: readMp3, mp4: readMp4 };

function* readMedia(limits: InspectionLimits, at: Position): Reading<ContentFacts> {
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
