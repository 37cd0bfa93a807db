import {
  type Filter,
  hasMetadata,
  type IdPage,
  type IdPageRequest,
  type JobStatus,
  type Metadata,
  readIdPage,
  readSelectedIdPage,
  type Store,
  writeIdCursor,
} from "@hourglass/runtime";
import { foldName } from "@hourglass/runtime/text";
import {
  analysesOf,
  type AnalysisName,
  type Collections,
  contentPartId,
  type ContentValue,
  type OperationRecord,
} from "./store.js";

/** Length of the beginning of the first content that lists show, in code points. */
const PREVIEW_CHARACTERS = 120;

/** The beginning of a content. */
export function previewOf(content: ContentValue | undefined): string {
  // A code point takes at most two UTF-16 units.
  const start = String(content ?? "").slice(0, 2 * PREVIEW_CHARACTERS);
  return [...start].slice(0, PREVIEW_CHARACTERS).join("");
}

/** The beginning of the first content of an operation. */
export function storedPreviewOf({ contents, preview }: OperationRecord): string {
  return preview ?? previewOf(contents?.[0]);
}

/** Which operations a list has. */
export interface Wanted {
  status?: JobStatus;
  /** Of texts, or of files. */
  isText?: boolean;
  /** One of these at least; empty: any. */
  analyses: readonly AnalysisName[];
  /** Accepted at this time or later, in milliseconds since 1970. */
  from?: number;
  /** Accepted before this time. */
  to?: number;
  /** Part of the name or the first content, whatever its case; empty: any. */
  q: string;
  /** What its metadata has; empty: anything. */
  metadata: Metadata;
}

/**
 * Ids grow with the time of creation, except among operations that processes accept at about the same time, by clocks
 * that differ. In milliseconds.
 */
const DISORDER_MS = 60 * 60_000;

/** A large operation is looked at in two documents, one of which is large. */
const LARGE_COST = 10;
/** First parts that are read at a time. */
const PARTS_PER_READ = 10;

/** Lists of operations, newest first. */
export class OperationListing {
  constructor(
    private readonly collections: Pick<Collections, "operations" | "contentParts">,
    private readonly store: Pick<Store, "versionOf">,
  ) {}

  /** A text that is another one after each change of what the lists of a company show; empty if the store cannot tell. */
  revisionOf(companyId: number): string {
    const { operations, contentParts } = this.collections;
    return this.store.versionOf([operations, contentParts], companyId) ?? "";
  }

  /**
   * One page of a company's operations. Unless only a status is wanted, it looks through a limited number of operations,
   * so that a page may be short although more follow. Throws AppError `invalid` for a cursor that was not issued here.
   */
  async read(
    { companyId, status, ...wanted }: Wanted & { companyId: number },
    page: IdPageRequest,
  ): Promise<IdPage<OperationRecord>> {
    const { operations } = this.collections;
    const filter: Filter<OperationRecord> = { companyId, ...(status === undefined ? {} : { status }) };
    const { isText, analyses, from = -Infinity, to, q, metadata } = wanted;
    const isOfAnyTime = from === -Infinity && to === undefined;
    const isOfAnyKind = isText === undefined && analyses.length === 0 && metadata.length === 0;
    if (isOfAnyTime && isOfAnyKind && q === "") return readIdPage(operations, filter, page);
    const narrowedBy = JSON.stringify(wanted);
    const begins = page.cursor === "" && to !== undefined;
    const cursor = begins ? writeIdCursor(await this.idBehind(to), filter, narrowedBy) : page.cursor;
    return readSelectedIdPage(operations, filter, {
      page: { ...page, cursor, narrowedBy },
      selection: {
        select: (records) =>
          this.withText(
            records.filter((record) => fits(record, wanted)),
            q,
          ),
        isBehind: ({ createdAt }) => createdAt < from - DISORDER_MS,
        costOf: (record) => (q !== "" && record.contents === null && fits(record, wanted) ? LARGE_COST : 1),
      },
    });
  }

  /**
   * An id below which all operations from before that time are. Found by halving the range of ids, so that a page of
   * long ago costs as much as one of today.
   */
  private async idBehind(time: number): Promise<number> {
    const { operations } = this.collections;
    const [newest] = await operations.find({}, { sort: [["id", -1]], limit: 1 });
    let [below, above] = [0, (newest?.id ?? 0) + 1];
    while (above - below > 1) {
      const middle = Math.floor((below + above) / 2);
      const [next] = await operations.find({ id: { gte: middle, lt: above } }, { sort: [["id", 1]], limit: 1 });
      if (next === undefined || next.createdAt >= time + DISORDER_MS) above = middle;
      else below = next.id;
    }
    return above;
  }

  /** Those of the records, in their order, that have the text in their name or first content. */
  private async withText(records: readonly OperationRecord[], q: string): Promise<readonly OperationRecord[]> {
    if (q === "") return records;
    const text = foldName(q);
    const has = (value: ContentValue | undefined) => foldName(String(value ?? "")).includes(text);
    const found = new Set(records.filter(({ name, contents }) => has(name) || has(contents?.[0])));
    const large = records.filter((record) => record.contents === null && !found.has(record));
    for (let from = 0; from < large.length; from += PARTS_PER_READ) {
      const some = new Map(large.slice(from, from + PARTS_PER_READ).map((record) => [record.id, record]));
      const ids = [...some.keys()].map((id) => contentPartId(id, 0));
      for (const { operationId, contents } of await this.collections.contentParts.find({ id: { in: ids } })) {
        const record = some.get(operationId);
        if (record !== undefined && has(contents[0])) found.add(record);
      }
    }
    return records.filter((record) => found.has(record));
  }
}

/** Whether the record itself is as wanted; its texts are not looked at. */
function fits(
  record: OperationRecord,
  { isText, analyses, from = -Infinity, to = Infinity, metadata }: Wanted,
): boolean {
  if (isText !== undefined && isText !== (record.kind === "text")) return false;
  if (record.createdAt < from || record.createdAt >= to) return false;
  if (!hasMetadata(record.metadata, metadata)) return false;
  if (analyses.length === 0) return true;
  const has = analysesOf(record);
  return analyses.some((name) => has.includes(name));
}
