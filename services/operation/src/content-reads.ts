import type { Content, ContentResult, OperationData } from "@hourglass/proto/operation/v1/operation";
import { AppError, FairLimit, LoopPace, OneByOne } from "@hourglass/runtime";
import { toContentResults } from "./results.js";
import {
  type ContentKind,
  type ContentValue,
  isSmall,
  type OperationRecord,
  type OperationRepository,
} from "./store.js";

/** The contents of an operation and, if it is done and they were asked for, its results. */
export interface ReadContents {
  contents: Content[];
  data: OperationData | undefined;
}

export const NO_CONTENTS: ReadContents = { contents: [], data: undefined };

/** Large operations that are read at a time, over all companies. */
const PLACES = 2;
/** Contents that become messages in one piece of the event loop. */
const PIECE = 25;

/** A load of one operation, and who waits for it. */
interface Load {
  readonly readers: AbortSignal[];
  readonly result: Promise<ReadContents>;
}

/**
 * Reads the contents and results of operations. A large one is read in pieces of the event loop, in turn with those of
 * other companies, and once for all who ask for it meanwhile: what is done changes no more.
 */
export class ContentReads {
  private readonly turns = new FairLimit({ places: PLACES });
  private readonly loads = new Map<string, Load>();
  private readonly answers = new OneByOne();

  constructor(private readonly repository: OperationRepository) {}

  /**
   * Without `withData`, and of a large operation, nothing is read: its contents are listed in pages. `signalOf` is the
   * caller's. Throws AppError `not-found` if the operation has been deleted since its record was read, and `cancelled` if all
   * who asked have left before its turn.
   */
  read(record: OperationRecord, withData: boolean, signalOf: () => AbortSignal): Promise<ReadContents> {
    if (isSmall(record)) return this.load(record, withData);
    return withData ? this.readInTurn(record, signalOf()) : Promise.resolve(NO_CONTENTS);
  }

  private async readInTurn(record: OperationRecord, signal: AbortSignal): Promise<ReadContents> {
    const key = `${record.id} ${record.status === "done" ? String(record.finishedAt) : ""}`;
    const load = this.loads.get(key) ?? this.begin(key, record);
    load.readers.push(signal);
    const contents = await load.result;
    await this.answers.next(); // to encode one for another process may take long
    return contents;
  }

  private begin(key: string, record: OperationRecord): Load {
    const readers: AbortSignal[] = [];
    const result = this.turns.run(record.companyId, async () => {
      try {
        if (readers.every(({ aborted }) => aborted)) throw new AppError("cancelled", "The client has left.");
        return await this.load(record, true);
      } finally {
        this.loads.delete(key);
      }
    });
    const load = { readers, result };
    this.loads.set(key, load);
    return load;
  }

  private async load(record: OperationRecord, withData: boolean): Promise<ReadContents> {
    const { values, results } = await this.repository.readFull(record, withData);
    const pace = new LoopPace();
    const contents: Content[] = [];
    const found: ContentResult[] = [];
    for (let first = 0; first < values.length; first += PIECE) {
      // A small operation is one piece, and takes no other turn of the event loop.
      if (first > 0) await pace.step();
      const piece = values.slice(first, first + PIECE).map((value) => toContent(record.kind, value));
      for (const content of piece) contents.push(content);
      if (results === undefined) continue;
      const outcomes = results.contents.slice(first, first + PIECE);
      found.push(...toContentResults(record, { first, contents: piece, outcomes, groups: results.groups }));
    }
    const data: OperationData = { $typeName: "hourglass.operation.v1.OperationData", contents: found };
    return { contents, data: results && data };
  }
}

/** A content as callers read it. */
export function toContent(kind: ContentKind, value: ContentValue): Content {
  const $typeName = "hourglass.operation.v1.Content";
  switch (kind) {
    case "text":
      return { $typeName, value: { case: "text", value: String(value) } };
    case "url":
      return { $typeName, value: { case: "url", value: String(value) } };
    case "file-id":
      return { $typeName, value: { case: "fileId", value: BigInt(value) } };
    default:
      // The kind is known only to a newer release.
      return { $typeName, value: { case: undefined } };
  }
}
