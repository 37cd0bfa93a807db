/** With a larger window, one company's backlog would stay ahead of another's first job for too long. */
const WAITING_MAX = 512;

/**
 * Target number of jobs waiting in the queue: few, so that their order is decided late, but enough to keep workers in
 * other processes busy until the next check. The window doubles when all waiting jobs were taken while more were ready,
 * and halves when half of it is left.
 */
export class PublishWindow {
  private wanted: number;
  private heldBack = false;

  constructor(private readonly waitingMin: number) {
    this.wanted = waitingMin;
  }

  /** Takes the number of waiting jobs; returns the target. */
  observe(waiting: number): number {
    if (waiting === 0 && this.heldBack) this.wanted = Math.min(2 * this.wanted, WAITING_MAX);
    else if (2 * waiting >= this.wanted) this.wanted = Math.max(Math.floor(this.wanted / 2), this.waitingMin);
    return this.wanted;
  }

  /** Records whether jobs were held back because the window was full. */
  finish(heldBack: boolean): void {
    this.heldBack = heldBack;
  }
}
