/** More would let one company's backlog get ahead of another's first job for too long. */
const WAITING_MAX = 512;

/**
 * How many jobs are to wait in the queue: few, so that their order is decided late, but enough to keep workers in other
 * processes busy until the relay looks again. The window doubles when all that waited was taken while more was ready,
 * and halves when half of it is left.
 */
export class PublishWindow {
  private wanted: number;
  private heldBack = false;

  constructor(private readonly waitingMin: number) {
    this.wanted = waitingMin;
  }

  /** Takes in how many wait now; returns how many are to wait. */
  observe(waiting: number): number {
    if (waiting === 0 && this.heldBack) this.wanted = Math.min(2 * this.wanted, WAITING_MAX);
    else if (2 * waiting >= this.wanted) this.wanted = Math.max(Math.floor(this.wanted / 2), this.waitingMin);
    return this.wanted;
  }

  /** Notes whether jobs were held back because the window was full, or none was left. */
  finish(heldBack: boolean): void {
    this.heldBack = heldBack;
  }
}
