import { inMegabytes, inSteps, type PullProgress } from "@hourglass/analysis/models";

/** Shows the progress of a download: on a terminal in one updated line, elsewhere in occasional lines. */
export interface ProgressLine {
  report: (progress: PullProgress) => void;
  /** Ends the line, so that further output starts on a new one. */
  end: () => void;
}

/** Minimum interval between updates of a terminal, in milliseconds. */
const EVERY_MS = 100;

/** Begins a line for one model. */
export function createProgressLine(
  output: { write(text: string): unknown; isTTY?: boolean },
  name: string,
): ProgressLine {
  if (output.isTTY !== true) {
    return { report: inSteps((progress) => output.write(`${describe(name, progress)}\n`)), end: () => undefined };
  }
  let shownAt = -Infinity;
  let shown = false;
  return {
    report(progress) {
      const now = performance.now();
      if (now - shownAt < EVERY_MS && progress.received !== progress.total) return;
      shownAt = now;
      shown = true;
      output.write(`\r\u{1b}[K${describe(name, progress)}`);
    },
    end() {
      if (shown) output.write("\n");
    },
  };
}

function describe(name: string, { file, received, total }: PullProgress): string {
  if (total === undefined || total === 0) return `${name}: ${inMegabytes(received)}, ${file}`;
  const percent = Math.floor((received / total) * 100);
  return `${name}: ${percent} % of ${inMegabytes(total)}, ${file}`;
}
