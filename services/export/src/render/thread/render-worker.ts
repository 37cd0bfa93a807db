import { workerData } from "node:worker_threads";
import { createEncoder, type Encoding } from "../encode/create-encoder.js";
import type { Encoder } from "../encode/encoder.js";
import { fromBlock } from "../blocks.js";
import { type Digest, RunningDigest } from "../digest.js";

/** The files that a thread writes, by name; given when it starts. */
export type RenderPlan = Readonly<Record<string, Encoding>>;

/** What a thread answers to a block of lines: how many there were, and the bytes of each file that are ready. */
export interface RenderedBlock {
  readonly rows: number;
  readonly files: Readonly<Record<string, Uint8Array>>;
}

/** What a thread answers at the end: the last bytes of each file, and the digests of the lines and of each file. */
export interface RenderedEnd {
  readonly files: Readonly<Record<string, Uint8Array>>;
  readonly lines: Digest;
  readonly digests: Readonly<Record<string, Digest>>;
}

interface File {
  readonly name: string;
  readonly encoder: Encoder;
  readonly digest: RunningDigest;
}

let lines = new RunningDigest();
let files: readonly File[] = [];

/** Runs in the thread, called by name: the first bytes of each file. A rendering that had begun before is dropped. */
export function begin(): RenderedBlock {
  lines = new RunningDigest();
  files = Object.entries((workerData ?? {}) as RenderPlan).map(([name, encoding]) => {
    return { name, encoder: createEncoder(encoding), digest: new RunningDigest() };
  });
  return { rows: 0, files: each(({ encoder }) => encoder.begin()) };
}

/** Runs in the thread, called by name, with blocks of whole lines. */
export function add(block: Uint8Array): RenderedBlock {
  lines.add(block);
  const postings = fromBlock(block);
  return { rows: postings.length, files: each(({ encoder }) => encoder.add(postings, block.length)) };
}

/** Runs in the thread, called by name, once. */
export function end(): RenderedEnd {
  const last = each(({ encoder }) => encoder.end());
  const digests = Object.fromEntries(files.map(({ name, digest }) => [name, digest.get()]));
  return { files: last, lines: lines.get(), digests };
}

function each(write: (file: File) => Uint8Array): Record<string, Uint8Array> {
  return Object.fromEntries(
    files.map((file) => {
      const bytes = write(file);
      file.digest.add(bytes);
      return [file.name, bytes];
    }),
  );
}
