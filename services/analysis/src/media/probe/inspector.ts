import { createReadStream } from "node:fs";
import { ByteDriver } from "./bytes.js";
import {
  type ContentFacts,
  type InspectionLimits,
  type MediaFacts,
  otherKind,
  UnacceptableFileError,
  UPLOAD_FORMATS,
} from "./facts.js";
import { readGif } from "./gif.js";
import { KIND_BYTES, kindOf } from "./kind.js";
import { readMp3 } from "./mp3.js";
import { readMp4 } from "./mp4.js";
import { PictureReader } from "./picture.js";

/** Reads what a file has, in bounded memory. What the file holds is judged by decoders, in the sandbox of the workers. */
export interface Inspector {
  /** The next bytes, any number; they are not retained. Throws UnacceptableFileError as early as possible. */
  write(chunk: Uint8Array): Promise<void>;
  /** Signals that all bytes were written. Throws UnacceptableFileError; may be called again. */
  end(): Promise<MediaFacts>;
}

/** Reads a file of one kind. */
interface Reader {
  write(chunk: Uint8Array): Promise<void> | void;
  end(): Promise<ContentFacts> | ContentFacts;
}

/** For one file. */
export function createInspector(limits: InspectionLimits): Inspector {
  const inspection = new Inspection(limits);
  let facts: MediaFacts | undefined;
  let failure: Error | undefined;
  /** A refused file stays refused, whatever follows. */
  const refusing = async <T>(act: () => Promise<T>): Promise<T> => {
    if (failure !== undefined) throw failure;
    try {
      return await act();
    } catch (error) {
      failure = error instanceof Error ? error : new Error("Cannot read the file.", { cause: error });
      throw failure;
    }
  };
  return {
    write: (chunk) => refusing(() => inspection.write(chunk)),
    end: () => refusing(async () => (facts ??= await inspection.end())),
  };
}

class Inspection {
  private head = new Uint8Array(0);
  private sizeBytes = 0;
  private reader: Reader | undefined;

  constructor(private readonly limits: InspectionLimits) {}

  async write(chunk: Uint8Array): Promise<void> {
    this.sizeBytes += chunk.length;
    if (this.reader !== undefined) {
      await this.reader.write(chunk);
      return;
    }
    this.head = Buffer.concat([this.head, chunk]);
    if (this.head.length >= KIND_BYTES) await this.begin();
  }

  async end(): Promise<MediaFacts> {
    if (this.sizeBytes === 0) throw new UnacceptableFileError("The file is empty.");
    const reader = this.reader ?? (await this.begin());
    return { ...(await reader.end()), sizeBytes: this.sizeBytes };
  }

  private async begin(): Promise<Reader> {
    const { head } = this;
    this.head = new Uint8Array(0);
    this.reader = readerOf(await kindOf(head.subarray(0, KIND_BYTES)), this.limits);
    await this.reader.write(head);
    return this.reader;
  }
}

/** Throws UnacceptableFileError if files of that kind are not accepted. */
function readerOf(kind: Awaited<ReturnType<typeof kindOf>>, limits: InspectionLimits): Reader {
  const formats = limits.formats ?? UPLOAD_FORMATS;
  if (kind !== undefined && "other" in kind) throw otherKind(kind.other, limits);
  // Sound that was cut or recorded from a stream may begin in the middle of a frame.
  const format = kind?.format ?? "mp3";
  if (!formats.includes(format)) throw otherKind(kind?.format.toUpperCase(), limits);
  switch (format) {
    case "png":
    case "jpg":
      return new PictureReader(format, limits);
    case "gif":
      return new ByteDriver(() => readGif(limits));
    case "mp3":
      return new ByteDriver(() => readMp3(limits, kind === undefined));
    case "mp4":
      return new ByteDriver((at) => readMp4(limits, at));
  }
}

/**
 * Passes the stream on unchanged while the inspector reads it. Throws UnacceptableFileError before the faulty piece, or
 * at the end if something is missing; after a normal end, `inspector.end()` returns the facts.
 */
export async function* inspecting(stream: AsyncIterable<Uint8Array>, inspector: Inspector): AsyncGenerator<Uint8Array> {
  for await (const chunk of stream) {
    await inspector.write(chunk);
    yield chunk;
  }
  await inspector.end();
}

/** Inspects a file on disk, and stops reading as soon as it is refused. Throws UnacceptableFileError. */
export async function inspectFile(file: string, limits: InspectionLimits): Promise<MediaFacts> {
  const inspector = createInspector(limits);
  for await (const chunk of createReadStream(file) as AsyncIterable<Uint8Array>) await inspector.write(chunk);
  return inspector.end();
}
