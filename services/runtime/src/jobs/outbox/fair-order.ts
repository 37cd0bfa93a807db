import type { Collection } from "../../store/store.js";
import type { CollectionDeclaration } from "../../store/declaration.js";

/** The last turn of a company (id `company:<id>`), or of the last published job (id `all`). */
export interface TurnRecord {
  id: string;
  turn: number;
}

/** Id of the record that holds the progress of publication. */
const ALL = "all";

/** The collection with the turns of a kind of job. */
export function turnsOf({ name }: { name: string }): CollectionDeclaration<TurnRecord> {
  const belongs = [{ of: "company", filter: (companyId: number) => ({ id: turnIdOf(companyId) }) }] as const;
  return { name: `${name}_turns`, belongs };
}

function turnIdOf(companyId: number): string {
  return `company:${companyId}`;
}

/**
 * Fair order between companies (self-clocked fair queueing). A job's turn is its company's last turn plus the job's
 * cost, and at least the turn being published. A company with a long backlog thus queues behind itself, and an idle one
 * accumulates no credit. Turns only order jobs: equal turns, or a wrong one after a race, are harmless.
 */
export class FairOrder {
  /** The turns assigned by this process, which may be ahead of the stored ones. */
  private readonly given = new Map<string, number>();
  private published = 0;

  constructor(private readonly turns: Collection<TurnRecord>) {}

  /** Returns the company's next turn. */
  async take(companyId: number, cost: number): Promise<number> {
    const id = turnIdOf(companyId);
    const [company, all] = await Promise.all([this.turns.get(id), this.turns.get(ALL)]);
    const last = Math.max(company?.turn ?? 0, this.given.get(id) ?? 0);
    const turn = Math.max(last, all?.turn ?? 0, this.published) + cost;
    this.given.set(id, turn);
    return turn;
  }

  /** Stores the company's turn for other processes and the next start. */
  async keep(companyId: number, turn: number): Promise<void> {
    await this.turns.put({ id: turnIdOf(companyId), turn });
  }

  /** Stores that jobs up to this turn have been published. */
  async advance(turn: number): Promise<void> {
    if (turn <= this.published) return;
    this.published = turn;
    await this.turns.put({ id: ALL, turn });
  }
}
