import { counted } from "@hourglass/runtime";

const EVERY_MS = 5000;

/** Reports long work line by line: each step when it begins, and within it how far it is every few seconds. */
export class Progress {
  private step = "";
  private done = 0;
  private shownAt = 0;

  constructor(private readonly show: (line: string) => void) {}

  begin(step: string): void {
    this.step = step;
    this.done = 0;
    this.shownAt = performance.now();
    this.show(step);
  }

  /** Reports how much of the step was done. */
  end(unit: string): void {
    this.show(`${this.step}: ${counted(this.done, unit)}`);
  }

  /** Counts work of the step as done; `unit` is singular. */
  add(count: number, unit: string): void {
    this.done += count;
    if (performance.now() - this.shownAt < EVERY_MS) return;
    this.shownAt = performance.now();
    this.show(`${this.step}: ${counted(this.done, unit)}`);
  }
}
