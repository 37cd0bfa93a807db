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
   * Without `withData`, the texts of a large operation are not read: they are listed in pages. Ids and addresses of files are
   * short, and always read. `signalOf` is the caller's. Throws AppError `not-found` if the operation has been deleted since its
   * record was read, and `cancelled` if all who asked have left before its turn.
   */
  read(record: OperationRecord, withData: boolean, signalOf: () => AbortSignal): Promise<ReadContents> {
    if (isSmall(record) || (record.contents !== null && !withData)) return this.load(record, withData);
    if (record.kind === "text" && !withData) return Promise.resolve(NO_CONTENTS);
    return this.readInTurn(record, withData, signalOf());
  }

  private async readInTurn(record: OperationRecord, withData: boolean, signal: AbortSignal): Promise<ReadContents> {
    const key = `${record.id} ${withData ? "data" : ""} ${record.status === "done" ? String(record.finishedAt) : ""}`;
    const load = this.loads.get(key) ?? this.begin(key, record, withData);
    load.readers.push(signal);
    const contents = await load.result;
    await this.answers.next(); // to encode one for another process may take long
    return contents;
  }

  private begin(key: string, record: OperationRecord, withData: boolean): Load {
    const readers: AbortSignal[] = [];
    const result = this.turns.run(record.companyId, async () => {
      try {
        if (readers.every(({ aborted }) => aborted)) throw new AppError("cancelled", "The client has left.");
        return await this.load(record, withData);
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
