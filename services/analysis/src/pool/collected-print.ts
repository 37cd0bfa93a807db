import type { Frame, PlacedBox, UnreadPrint } from "../types.js";
import { rounded } from "../vision/detections.js";
import { READING_MODEL, type readPrint, textLines } from "../vision/printed-words.js";
import type { Reading, UnreadWriting } from "./media-pool.js";

/** Total for all frames of a video. */
const LINES_MAX = 2000;
/** In a picture. */
const UNREAD_MAX = 50;

/** What is printed in a file: all of a still; of a film, each line as first read, because print stays visible. */
export class CollectedPrint {
  private readonly lines: string[] = [];
  private readonly known = new Set<string>();
  private readonly unread = new Map<string, UnreadWriting>();

  addStill(print: Awaited<ReturnType<typeof readPrint>>): void {
    this.lines.push(...textLines(print));
    print.unread
      .slice(0, UNREAD_MAX)
      .forEach((line, at) => this.unread.set(String(at), { script: line.script, box: placed(line) }));
  }

  /** Of each script that cannot be read, a film tells the surest line. */
  addFrame({ atMs }: Frame, print: Awaited<ReturnType<typeof readPrint>>): void {
    for (const line of textLines(print)) {
      const key = line.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
      if (key === "" || this.known.has(key) || this.lines.length >= LINES_MAX) continue;
      this.known.add(key);
      this.lines.push(line);
    }
    for (const line of print.unread) {
      const known = this.unread.get(line.script);
      if (known !== undefined && known.box[4] >= line.prob) continue;
      this.unread.set(line.script, { script: line.script, box: placed(line), at: atMs / 1000 });
    }
  }

  reading(): Reading {
    const unread = [...this.unread.values()];
    return { text: this.lines.join("\n"), model: READING_MODEL, ...(unread.length > 0 ? { unread } : {}) };
  }
}

const placed = ({ box, prob }: UnreadPrint): PlacedBox => {
  const [x, y] = [rounded(box.left), rounded(box.top)];
  return [x, y, rounded(Math.min(box.width, 1 - x)), rounded(Math.min(box.height, 1 - y)), rounded(prob)];
};
