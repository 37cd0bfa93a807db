/** A requested operation, and its client's knowledge of it. */
export interface Promised {
  key: string;
  type: "text" | "file";
  /** Texts, or ids of files. */
  contents: string[];
  /** Set after the server has accepted it. */
  id: number | undefined;
  /** Whether its deletion was requested; it need not end then. */
  deleted: boolean;
  /** The first answer after its end. */
  end: string | undefined;
}

export interface OperationAnswer {
  status: string;
  query: { contents: string[] };
  data: { contents: { content: string; analyses: unknown[] }[] } | null;
}

const ENDED = new Set(["done", "failed", "invalid"]);

/** Everything that the server has promised, and every broken promise. */
export class Promises {
  readonly all: Promised[] = [];
  readonly broken: string[] = [];
  /** Ids whose answer changed after the end. */
  readonly changed = new Set<number>();

  /** `name` distinguishes the idempotency keys of several clients of one server. */
  constructor(readonly name = "key") {}

  add(contents: string[], type: Promised["type"] = "text"): Promised {
    const promised = {
      type,
      key: `${this.name}-${this.all.length}`,
      contents,
      id: undefined,
      deleted: false,
      end: undefined,
    };
    this.all.push(promised);
    return promised;
  }

  accept(promised: Promised, id: number): void {
    if (promised.id === undefined) promised.id = id;
    else if (promised.id !== id) this.broken.push(`${promised.key} gave ${promised.id}, then ${id}`);
  }

  /** Compares an answer with the request and with earlier answers. */
  read(promised: Promised, text: string): void {
    const answer = JSON.parse(text) as OperationAnswer;
    const id = promised.id ?? 0;
    if (answer.query.contents.join("\n") !== promised.contents.join("\n"))
      this.broken.push(`${id} echoes other contents`);
    if (answer.status !== "done" && answer.data !== null) this.broken.push(`${id} is ${answer.status} and has data`);
    if (!ENDED.has(answer.status)) {
      if (promised.end !== undefined) this.changed.add(id);
      return;
    }
    promised.end ??= text;
    if (promised.end !== text) this.changed.add(id);
    if (answer.status === "done") this.readData(promised, answer.data);
  }

  get accepted(): Promised[] {
    return this.all.filter(({ id }) => id !== undefined);
  }

  /** Accepted operations that must end. */
  get due(): Promised[] {
    return this.accepted.filter(({ deleted }) => !deleted);
  }

  /** Number of operations that ended in the status. */
  count(status: string): number {
    return this.due.filter(({ end }) => end !== undefined && (JSON.parse(end) as OperationAnswer).status === status)
      .length;
  }

  private readData({ id, contents }: Promised, data: OperationAnswer["data"]): void {
    const got = data?.contents ?? [];
    if (got.map(({ content }) => content).join("\n") !== contents.join("\n")) this.broken.push(`${id} is out of order`);
    if (got.some(({ analyses }) => analyses.length !== 1)) this.broken.push(`${id} is done with results missing`);
  }
}
