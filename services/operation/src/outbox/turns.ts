import type { Collection } from "@hourglass/runtime";
import type { TurnRecord } from "../records/operation.js";

/** Id of the record that says how far publication has come. */
const ALL = "all";

/**
 * Fair order between companies (self-clocked fair queueing): an operation's turn lies its cost behind its company's
 * last one, but never behind what is being published now. A company with a long backlog thus queues behind itself, and
 * one that was idle gains nothing by it. Turns only order; two that agree, or are off after a race, do no harm.
 */
export class Turns {
  /** What this process has handed out, ahead of what is stored. */
  private readonly handedOut = new Map<string, number>();
  private published = 0;

  constructor(private readonly turns: Collection<TurnRecord>) {}

  /** Hands out the company's next turn; `cost` is in contents. */
  async take(companyId: number, cost: number): Promise<number> {
    const id = `company:${companyId}`;
    const [company, all] = await Promise.all([this.turns.get(id), this.turns.get(ALL)]);
    const last = Math.max(company?.turn ?? 0, this.handedOut.get(id) ?? 0);
    const turn = Math.max(last, all?.turn ?? 0, this.published) + cost;
    this.handedOut.set(id, turn);
    return turn;
  }

  /** Keeps the company's turn for other processes and the next start. */
  async keep(companyId: number, turn: number): Promise<void> {
    await this.turns.put({ id: `company:${companyId}`, turn });
  }

  /** Says that operations up to this turn have been published. */
  async advance(turn: number): Promise<void> {
    if (turn <= this.published) return;
    this.published = turn;
    await this.turns.put({ id: ALL, turn });
  }
}
