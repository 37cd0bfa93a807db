import { RoundRobin } from "./round-robin.js";

/** In one turn of the event loop, requests begin for so many milliseconds. */
const BEGIN_MS = 5;

interface LoopDoorOptions {
  /** Milliseconds of a clock that is never set back; tests set it. */
  now?: () => number;
  /** Calls back in the next turn of the event loop, after events that arrived in the meantime. */
  nextTurn?: (work: () => void) => void;
}

/**
 * Lets requests begin. Of hundreds that arrive at once only as many begin in a turn of the event loop as fit into a few
 * milliseconds; the rest wait, and their callers take turns. So a burst of one caller delays nobody else's request by
 * more than one turn.
 */
export class LoopDoor {
  private readonly waiting = new RoundRobin<string, () => void>();
  private openUntil = -Infinity;
  private opensNextTurn = false;
  private readonly now: () => number;
  private readonly nextTurn: (work: () => void) => void;

  constructor({ now = () => performance.now(), nextTurn = setImmediate }: LoopDoorOptions = {}) {
    this.now = now;
    this.nextTurn = nextTurn;
  }

  /** Begins at once if nobody waits and this turn has time left, otherwise in a later turn. */
  enter(caller: string, begin: () => void): void {
    if (!this.opensNextTurn) this.startTurn();
    if (this.waiting.isEmpty && this.now() < this.openUntil) begin();
    else this.waiting.push(caller, begin);
  }

  /** Begins in a later turn, after what has arrived in this one. */
  enterLater(caller: string, begin: () => void): void {
    if (!this.opensNextTurn) this.startTurn();
    this.waiting.push(caller, begin);
  }

  private startTurn(): void {
    this.openUntil = this.now() + BEGIN_MS;
    this.opensNextTurn = true;
    this.nextTurn(() => this.open());
  }

  private open(): void {
    this.opensNextTurn = false;
    if (this.waiting.isEmpty) return;
    this.startTurn();
    for (let begin = this.waiting.shift(); begin !== undefined; begin = this.waiting.shift()) {
      begin();
      if (this.now() >= this.openUntil) return;
    }
  }
}

/** The door of this process, whose event loop all its ports share. */
export const loopDoor = new LoopDoor();
