import { PLATFORM, type PostingJson } from "@hourglass/posting";
import type { Platform } from "@hourglass/proto/insight/v1/platform";
import { inBlocks } from "./blocks.js";

/** Postings that have been erased: one by its id on its platform, or all of an author. */
export interface Erased {
  readonly platform: Platform;
  readonly by: "social_id" | "author_id";
  readonly value: string;
}

/** What the line of an erased posting holds. */
interface Mark {
  readonly bytes: Buffer;
  readonly isErased: (posting: PostingJson) => boolean;
}

const LINE_FEED = 0x0a;

/**
 * Leaves out the lines of erased postings, and tells which those were. The lines are searched for the values as bytes, and
 * only a line in which one occurs is parsed.
 */
export class ErasedLines {
  /** Numbers of the lines left out so far, from 0. */
  readonly dropped: number[] = [];
  /** Lines so far. */
  rows = 0;
  private readonly marks: readonly Mark[];

  constructor(erased: readonly Erased[]) {
    this.marks = erased.map(markOf);
  }

  /** Takes and gives blocks of whole lines. */
  async *leftOut(blocks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const block of blocks) {
      const kept = this.keptOf(block);
      if (kept.length > 0) yield kept;
    }
  }

  private keptOf(block: Buffer): Buffer {
    const marked = this.markedIn(block);
    const kept: Buffer[] = [];
    let from = 0;
    for (let start = 0; start < block.length;) {
      const end = endOfLine(block, start);
      if (marked.has(start) && this.isErased(block.subarray(start, end))) {
        this.dropped.push(this.rows);
        kept.push(block.subarray(from, start));
        from = end;
      }
      this.rows++;
      start = end;
    }
    return from === 0 ? block : Buffer.concat([...kept, block.subarray(from)]);
  }

  /** Where lines begin in which a value occurs. */
  private markedIn(block: Buffer): ReadonlySet<number> {
    const starts = new Set<number>();
    for (const { bytes } of this.marks) {
      for (let at = block.indexOf(bytes); at >= 0; at = block.indexOf(bytes, endOfLine(block, at))) {
        starts.add(block.lastIndexOf(LINE_FEED, at) + 1);
      }
    }
    return starts;
  }

  private isErased(line: Buffer): boolean {
    const posting = JSON.parse(line.toString()) as PostingJson;
    return this.marks.some(({ isErased }) => isErased(posting));
  }
}

function endOfLine(block: Buffer, from: number): number {
  const end = block.indexOf(LINE_FEED, from);
  return end < 0 ? block.length : end + 1;
}

function markOf({ platform, by, value }: Erased): Mark {
  const name = PLATFORM.of(platform);
  return {
    bytes: Buffer.from(`${JSON.stringify(by)}:${JSON.stringify(value)}`),
    isErased: (posting) => posting["platform"] === name && posting[by] === value,
  };
}

/** Whether JSON lines hold a posting that has been erased. Reads no further than the first one. */
export async function holdsErased(ndjson: AsyncIterable<Uint8Array>, erased: readonly Erased[]): Promise<boolean> {
  const lines = new ErasedLines(erased);
  for await (const _ of lines.leftOut(inBlocks(ndjson))) if (lines.dropped.length > 0) return true;
  return lines.dropped.length > 0;
}
