import type { PostingJson } from "@hourglass/posting/columns";

/** Writes postings in one format. Every method returns the bytes that are ready, in order. */
export interface Encoder {
  begin(): Uint8Array;
  /** `weight` is the size of the postings as JSON lines, in bytes. */
  add(postings: readonly PostingJson[], weight: number): Uint8Array;
  end(): Uint8Array;
}

export const NO_BYTES = new Uint8Array(0);
