import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import {
  claimDue,
  type Collection,
  type CollectionDeclaration,
  declared,
  type DeclaredCollection,
  deleteStep,
  type DueClaim,
  insertStep,
  type Store,
  updateStep,
} from "@hourglass/runtime";
import type { PostingDraft } from "../../posting-draft.js";
import type { GdeltProblem, GdeltStream } from "./api.js";

const pack = promisify(gzip);
const unpack = promisify(gunzip);
/** Longer than the deadline of a request and the time to read a file: a claim is renewed before each. */
const CLAIM_MS = 60_000;
/** Files deleted with one commit; the rest goes with the next one. */
const DELETED_MAX = 200;

const PUBLIC = { because: "the same public files are read for all searches, whatever these look for" } as const;

const STREAMS: CollectionDeclaration<StreamRecord> = { name: "news_gdelt_streams", belongs: PUBLIC };

const FILES: CollectionDeclaration<FileRecord> = {
  name: "news_gdelt_files",
  indexes: [{ fields: ["stream", "seq"] }, { fields: ["stream", "at"] }],
  belongs: PUBLIC,
};

const CONTENTS: CollectionDeclaration<ContentRecord> = { name: "news_gdelt_contents", belongs: PUBLIC };

export const GDELT_COLLECTIONS: readonly DeclaredCollection[] = [
  declared(STREAMS),
  declared(FILES),
  declared(CONTENTS),
];

/** State of a stream after a round; `dueAt` ends the claim. */
export type StreamChange = Partial<Omit<StreamRecord, "id" | "seq" | "deleted">> & Pick<StreamRecord, "dueAt">;

/** A file to be stored. */
interface NewFile {
  readonly at: number;
  readonly seq: number;
  readonly postings: readonly PostingDraft[];
}

interface Parts {
  readonly store: Store;
  readonly streams: Collection<StreamRecord>;
  readonly files: Collection<FileRecord>;
  readonly contents: Collection<ContentRecord>;
  readonly now: () => number;
  readonly claimMs: number;
}

/** Files of GDELT, shared by all searches. */
export class GdeltStore {
  private constructor(private readonly parts: Parts) {}

  static async open(store: Store, now: () => number, claimMs = CLAIM_MS): Promise<GdeltStore> {
    const streams = await store.collection(STREAMS);
    const files = await store.collection(FILES);
    const contents = await store.collection(CONTENTS);
    return new GdeltStore({ store, streams, files, contents, now, claimMs });
  }

  /** The records of these streams, in the same order, created where missing. A new one is due at once. */
  async streamsOf(ids: readonly GdeltStream[]): Promise<StreamRecord[]> {
    const { streams, now } = this.parts;
    const known = await streams.find({ id: { in: ids } });
    const missing = ids.filter((id) => !known.some((record) => record.id === id));
    await streams.insertNew(missing.map((id) => newStream(id, now())));
    const all = missing.length === 0 ? known : await streams.find({ id: { in: ids } });
    return ids.flatMap((id) => all.find((record) => record.id === id) ?? []);
  }

  /** Claims a stream that is due. Undefined if it is not, or if another process reads it. */
  async claim(record: StreamRecord): Promise<DueClaim<StreamRecord> | undefined> {
    const { streams, now, claimMs } = this.parts;
    if (record.dueAt > now()) return undefined;
    return claimDue({ records: streams, leaseMs: claimMs, now }, record);
  }

  /** Times of the stored files since a time. */
  async fileTimes(stream: GdeltStream, since: number): Promise<Set<number>> {
    const files = await this.parts.files.find({ stream, at: { gte: since } });
    return new Set(files.map(({ at }) => at));
  }

  /** Stores a file. False if the claim was lost; nothing was stored then. */
  async add(claim: DueClaim<StreamRecord>, { at, seq, postings }: NewFile): Promise<boolean> {
    const { store, streams, files, contents } = this.parts;
    const stream = claim.record.id;
    const id = `${stream}:${at}`;
    const packed = (await pack(JSON.stringify(postings))).toString("base64");
    const committed = await store.commit([
      updateStep(streams, claim.fence, { set: { seq } }),
      insertStep(files, { id, stream, at, seq, count: postings.length }),
      insertStep(contents, { id, packed }),
    ]);
    return committed.done;
  }

  /** Ends the claim with the new state of the stream, and deletes files older than `keptFrom`. */
  async settle(claim: DueClaim<StreamRecord>, change: StreamChange, keptFrom: number): Promise<void> {
    const { store, streams, files, contents } = this.parts;
    const stream = claim.record.id;
    const old = await files.find({ stream, at: { lt: keptFrom } }, { sort: [["at", 1]], limit: DELETED_MAX });
    const ids = old.map(({ id }) => id);
    const { deleted } = claim.record;
    const last = old.reduce(
      (before, { seq, at }) => ({ seq: Math.max(before.seq, seq), until: Math.max(before.until, at) }),
      deleted ?? { seq: 0, until: 0 },
    );
    await store.commit([
      updateStep(streams, claim.fence, { set: { ...change, ...(ids.length === 0 ? {} : { deleted: last }) } }),
      deleteStep(files, { id: { in: ids } }),
      deleteStep(contents, { id: { in: ids } }),
    ]);
  }

  /** Files with postings and greater numbers that are not older than `since`, in the order of their numbers. */
  async filesAfter(
    stream: GdeltStream,
    { seq, since, limit }: { readonly seq: number; readonly since: number; readonly limit: number },
  ): Promise<FileRecord[]> {
    const filter = { stream, seq: { gt: seq }, at: { gte: since }, count: { gt: 0 } };
    return this.parts.files.find(filter, { sort: [["seq", 1]], limit });
  }

  /** The newest files. */
  async newestFiles(stream: GdeltStream, limit: number): Promise<FileRecord[]> {
    return this.parts.files.find({ stream }, { sort: [["at", -1]], limit });
  }

  /** The postings of a file, newest first; none if it has been deleted meanwhile. */
  async postingsOf({ id }: FileRecord): Promise<PostingDraft[]> {
    const content = await this.parts.contents.get(id);
    if (content === undefined) return [];
    const json = await unpack(Buffer.from(content.packed, "base64"));
    return (JSON.parse(json.toString("utf8")) as PostingDraft[]).reverse();
  }
}

function newStream(id: GdeltStream, now: number): StreamRecord {
  return {
    ...{ id, dueAt: now, seq: 0, newest: null, coversFrom: null, behindUntil: null },
    ...{ retries: [], holes: [], deleted: null, readAt: null, failures: 0, problem: null },
  };
}

/** The files of one kind, fetched once for all searches. Times are milliseconds since the epoch. */
export interface StreamRecord {
  id: GdeltStream;
  /** When GDELT may be asked for new files; a claim moves it ahead by a lease. */
  dueAt: number;
  /** Number of the last file; files are numbered in the order in which they were stored. */
  seq: number;
  /** Time of the newest file that is stored. */
  newest: number | null;
  /** From which time on files are wanted. Null before the first list was read. */
  coversFrom: number | null;
  /** Files up to this time are listed, and some of them not stored yet. Null: none. */
  behindUntil: number | null;
  /** Files that could not be read, and are tried again. */
  retries: { at: number; attempts: number }[];
  /** Spans whose articles are missing for good. */
  holes: { from: number; to: number }[];
  /** The last file that was deleted: its number, and its time. A search whose position is below has missed files. */
  deleted: { seq: number; until: number } | null;
  /** When GDELT was last read without a problem. */
  readAt: number | null;
  /** Failed attempts in sequence. */
  failures: number;
  problem: GdeltProblem | null;
}

/** A file whose postings are stored. */
interface FileRecord {
  /** The stream and the time of the file. */
  id: string;
  stream: GdeltStream;
  at: number;
  seq: number;
  /** How many postings it has. */
  count: number;
}

/** The postings of a file. */
interface ContentRecord {
  /** As that of the file. */
  id: string;
  /** Their JSON, packed with gzip, in base64. */
  packed: string;
}
