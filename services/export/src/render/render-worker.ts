import { createHash } from "node:crypto";
import { workerData } from "node:worker_threads";
import { createEncoder, type Encoder, type Encoding } from "./encoder.js";
import { parseBlock } from "./ndjson.js";

// Imports only what a thread needs: all of the packages that read postings would take five times as long to start.

/** The files that a thread writes, by name; given when it starts. */
export type RenderPlan = Readonly<Record<string, Encoding>>;

/** The result of a block of lines: how many there were, and the bytes of each file that are ready. */
export interface RenderedBlock {
  readonly rows: number;
  readonly files: Readonly<Record<string, Uint8Array>>;
}

/** The result of an export: the last bytes of each file, and the digests of the lines and of each file. */
export interface RenderedEnd {
  readonly files: Readonly<Record<string, Uint8Array>>;
  readonly lines: Digest;
  readonly digests: Readonly<Record<string, Digest>>;
}

/** Size and hash of a finished file, or of the lines it was made of. */
export interface Digest {
  /** Size in bytes. */
  readonly bytes: number;
  /** SHA-256 in hexadecimal. */
  readonly tag: string;
}

class RunningDigest {
  private bytes = 0;
  private readonly hash = createHash("sha256");

  add(bytes: Uint8Array): void {
    this.bytes += bytes.length;
    this.hash.update(bytes);
  }

  /** Once, after the last bytes. */
  get(): Digest {
    return { bytes: this.bytes, tag: this.hash.digest("hex") };
  }
}

interface File {
  readonly name: string;
  readonly encoder: Encoder;
  readonly digest: RunningDigest;
}

let lines = new RunningDigest();
let files: readonly File[] = [];

/** Runs in the thread, called by name: the first bytes of each file. Drops a rendering that has not ended. */
export function begin(): RenderedBlock {
  lines = new RunningDigest();
  files = Object.entries((workerData ?? {}) as RenderPlan).map(([name, encoding]) => {
    return { name, encoder: createEncoder(encoding), digest: new RunningDigest() };
  });
  return { rows: 0, files: writeEach(({ encoder }) => encoder.begin()) };
}

/** Runs in the thread, called by name, with blocks of whole lines. */
export function add(block: Uint8Array): RenderedBlock {
  lines.add(block);
  const postings = parseBlock(block);
  return { rows: postings.length, files: writeEach(({ encoder }) => encoder.add(postings, block.length)) };
}

/** Runs in the thread, called by name, once. */
export function end(): RenderedEnd {
  const last = writeEach(({ encoder }) => encoder.end());
  const digests = Object.fromEntries(files.map(({ name, digest }) => [name, digest.get()]));
  return { files: last, lines: lines.get(), digests };
}

function writeEach(write: (file: File) => Uint8Array): Record<string, Uint8Array> {
  return Object.fromEntries(
    files.map((file) => {
      const bytes = write(file);
      file.digest.add(bytes);
      return [file.name, bytes];
    }),
  );
}
