import type { PostingJson } from "@hourglass/posting/columns";
import { NO_BYTES, type Encoder } from "./encoder.js";

/** Writes some columns of postings as JSON lines. */
export class NdjsonEncoder implements Encoder {
  /** An array, which `JSON.stringify` takes for the keys to write, would also apply to what `more_info` holds. */
  constructor(private readonly columns: readonly string[]) {}

  begin(): Uint8Array {
    return NO_BYTES;
  }

  add(postings: readonly PostingJson[]): Uint8Array {
    const lines = postings.map((posting) => `${JSON.stringify(this.selected(posting))}\n`);
    return Buffer.from(lines.join(""));
  }

  end(): Uint8Array {
    return NO_BYTES;
  }

  private selected(posting: PostingJson): PostingJson {
    return Object.fromEntries(this.columns.map((column) => [column, posting[column] ?? null]));
  }
}
