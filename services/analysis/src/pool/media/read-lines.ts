import type { PrintedLine } from "../../visual.js";

/** Of all frames of a video together. */
const LINES_MAX = 2000;

/** Lines of print as they were first read, each once: what stands there for a while is read in many frames. */
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
