import type { PrintedLine } from "../../visual.js";

/** Total for all frames of a video. */
const LINES_MAX = 2000;

/** Lines of print as first read, each once: print that stays visible is read in many frames. */
export class ReadLines {
  private readonly lines = new Map<string, string>();

  add(read: readonly PrintedLine[]): void {
    for (const { text } of read) {
      const key = text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
      if (key === "" || this.lines.has(key) || this.lines.size >= LINES_MAX) continue;
      this.lines.set(key, text);
    }
  }

  text(): string {
    return [...this.lines.values()].join("\n");
  }
}
