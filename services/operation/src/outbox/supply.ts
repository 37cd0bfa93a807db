/** More would let one company's backlog get ahead of another's first operation for too long. */
const WAITING_MAX = 512;

/**
 * How many operations are to wait in the queue: few, so that their order is decided late, but enough to keep workers in
 * other processes busy until the relay looks again. It doubles when they have used up all that was there while there was
 * more to be had, and halves when half of it is left.
 */
export class Supply {
  private wanted: number;
  private heldBack = false;

  constructor(private readonly waitingMin: number) {
    this.wanted = waitingMin;
  }

  /** Takes up what a new look found; returns how many are to wait. */
  look(waiting: number): number {
    if (waiting === 0 && this.heldBack) this.wanted = Math.min(2 * this.wanted, WAITING_MAX);
    else if (2 * waiting >= this.wanted) this.wanted = Math.max(Math.floor(this.wanted / 2), this.waitingMin);
    return this.wanted;
  }

  /** Says how the look ended: with operations held back because enough wait, or with none left. */
  ended(heldBack: boolean): void {
    this.heldBack = heldBack;
  }
}
