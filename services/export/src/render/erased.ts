import { PLATFORM, type PostingJson } from "@hourglass/posting";
import type { Platform } from "@hourglass/proto/insight/v1/platform";
import { inBlocks } from "./ndjson.js";

/** Postings that have been erased: one by its id on its platform, or all of an author. */
export interface Erased {
  readonly platform: Platform;
  readonly by: "social_id" | "author_id";
  readonly value: string;
}

/** Recognizes the lines of postings that one erasure reaches. */
interface Pattern {
  /** Occurs in each of these lines, and seldom in others. */
  readonly bytes: Buffer;
  readonly isErased: (posting: PostingJson) => boolean;
}

const LINE_FEED = 0x0a;

/**
 * Blocks of whole lines without those of erased postings. The lines are searched for the erased values as bytes, and only a
 * line in which one occurs is parsed.
 */
export async function* withoutErased(blocks: AsyncIterable<Buffer>, erased: readonly Erased[]): AsyncGenerator<Buffer> {
  const patterns = erased.map(patternOf);
  for await (const block of blocks) {
    const left = withoutLines(block, erasedLines(block, patterns));
    if (left.length > 0) yield left;
  }
}

/** Whether JSON lines hold a posting that has been erased. Reads no further than the block of the first one. */
export async function holdsErased(ndjson: AsyncIterable<Uint8Array>, erased: readonly Erased[]): Promise<boolean> {
  const patterns = erased.map(patternOf);
  for await (const block of inBlocks(ndjson)) if (erasedLines(block, patterns).length > 0) return true;
  return false;
}

function patternOf({ platform, by, value }: Erased): Pattern {
  const name = PLATFORM.of(platform);
  return {
    bytes: Buffer.from(`${JSON.stringify(by)}:${JSON.stringify(value)}`),
    isErased: (posting) => posting["platform"] === name && posting[by] === value,
  };
}

interface Line {
  readonly start: number;
  /** Behind its line feed. */
  readonly end: number;
}

/** The lines of erased postings, in order. */
function erasedLines(block: Buffer, patterns: readonly Pattern[]): Line[] {
  const ends = new Map<number, number>();
  for (const { bytes } of patterns) {
    for (let at = block.indexOf(bytes); at >= 0; at = block.indexOf(bytes, endOfLine(block, at))) {
      ends.set(block.lastIndexOf(LINE_FEED, at) + 1, endOfLine(block, at));
    }
  }
  const lines = [...ends].map(([start, end]) => ({ start, end })).sort((a, b) => a.start - b.start);
  return lines.filter(({ start, end }) => {
    const posting = JSON.parse(block.toString("utf8", start, end)) as PostingJson;
    return patterns.some(({ isErased }) => isErased(posting));
  });
}

function endOfLine(block: Buffer, from: number): number {
  const end = block.indexOf(LINE_FEED, from);
  return end < 0 ? block.length : end + 1;
}

function withoutLines(block: Buffer, lines: readonly Line[]): Buffer {
  if (lines.length === 0) return block;
  const starts = [0, ...lines.map(({ end }) => end)];
  const ends = [...lines.map(({ start }) => start), block.length];
  return Buffer.concat(starts.map((start, index) => block.subarray(start, ends[index])));
}
