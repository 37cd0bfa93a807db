import type { Collection, CollectionSpec } from "../../store/store.js";

/** The last turn of a company (id `company:<id>`), or of what was published last (id `all`). */
export interface TurnRecord {
  id: string;
  turn: number;
}

/** Id of the record that says how far publication has come. */
const ALL = "all";

/** Where the turns of a kind of job are stored. */
export function turnsOf({ name }: { name: string }): CollectionSpec<TurnRecord> {
  return { name: `${name}_turns` };
}

/**
 * Fair order between companies (self-clocked fair queueing). A job's turn is its company's last turn plus the job's cost,
 * and never less than the turn that is being published. A company with a long backlog thus queues behind itself, and an
 * idle one collects no credit. Turns only order jobs: two equal ones, or one that is off after a race, do no harm.
 */
export class FairOrder {
  /** What this process has given out, ahead of what is stored. */
  private readonly given = new Map<string, number>();
  private published = 0;

  constructor(private readonly turns: Collection<TurnRecord>) {}

  /** Gives the company's next turn. */
  async take(companyId: number, cost: number): Promise<number> {
    const id = `company:${companyId}`;
    const [company, all] = await Promise.all([this.turns.get(id), this.turns.get(ALL)]);
    const last = Math.max(company?.turn ?? 0, this.given.get(id) ?? 0);
    const turn = Math.max(last, all?.turn ?? 0, this.published) + cost;
    this.given.set(id, turn);
    return turn;
  }

  /** Stores the company's turn for other processes and the next start. */
  async keep(companyId: number, turn: number): Promise<void> {
    await this.turns.put({ id: `company:${companyId}`, turn });
  }

  /** Stores that jobs up to this turn have been published. */
  async advance(turn: number): Promise<void> {
    if (turn <= this.published) return;
    this.published = turn;
    await this.turns.put({ id: ALL, turn });
  }
}
