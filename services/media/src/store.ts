import type { MediaFacts } from "@hourglass/analysis/formats";
import { FilePreviewSchema, FileSchema } from "@hourglass/proto/media/v1/media_service";
import {
  answersOf,
  AppError,
  type Blobs,
  type ByteRange,
  type ChoreRecord,
  choresOf,
  type Collection,
  type CollectionDeclaration,
  contractBlobKey,
  DUE_INDEX,
  type DueRecord,
  failpoint,
  IDEMPOTENCY_TTL_MS,
  type IdPage,
  type IdPageRequest,
  isFresh,
  type IssuedLink,
  KeptAnswers,
  ofCompany,
  readIdPage,
  type Store,
  type StoredKey,
  type Author,
} from "@hourglass/runtime";

/**
 * State of a file. `incoming`: its bytes are being received. `unused`: free for an operation. `claiming`: reserved by an
 * operation until it is known whether that gets all files it wants. `claimed`: used by an operation. `deleting`: its
 * bytes are being removed. `gone`: only its idempotency key is left.
 */
export type FileState = "incoming" | "unused" | "claiming" | "claimed" | "deleting" | "gone";

/** States in which a file belongs to an operation. */
export const CLAIM_STATES = ["claiming", "claimed"] as const satisfies readonly FileState[];

/** States in which the whole file is stored. */
const STORED_STATES: readonly FileState[] = ["unused", ...CLAIM_STATES];

/** The record of an uploaded file, without its bytes. Times are milliseconds since the epoch. */
export interface FileRecord extends DueRecord {
  id: number;
  companyId: number;
  state: FileState;
  /** The operation that has the file while `claiming` or `claimed`, or that had it before `deleting`. */
  operationId: number | null;
  /** When the sweeper processes the file; null: never. */
  dueAt: number | null;
  /** Name given by the client. */
  name: string;
  createdAt: number;
  /** Who uploaded it; absent: a service. */
  createdBy?: Author;
  /** Null until the whole file has arrived. */
  facts: MediaFacts | null;
  /** Hash of the bytes, base64url; null until the whole file has arrived, and if the upload had no idempotency key. */
  sha256: string | null;
  /** Company and key of the upload. */
  idempotency: string | null;
}

export const FILES: CollectionDeclaration<FileRecord> = {
  name: "files",
  indexes: [
    DUE_INDEX,
    { fields: ["operationId", "state"] },
    { fields: ["companyId", "state", "id"] },
    { fields: ["idempotency"], unique: true },
  ],
  belongs: [ofCompany("companyId")],
  blobsOf: ({ id, facts }) => [blobKeyOf(id), ...(facts?.hasPictures === true ? previewKeysOf(id) : [])],
};

/** One key signs the links of all companies. */
export const LINK_KEYS: CollectionDeclaration<StoredKey> = {
  name: "file_link_keys",
  belongs: { because: "one key signs the links of all companies" },
};

/** The links that were given for idempotency keys. */
export const LINK_ANSWERS = answersOf("file_link_answers");

/** An operation whose claims were released: a later claim for it gets nothing. */
export interface ReleaseRecord {
  /** See `releaseId`. */
  id: string;
  /** Time after which no claim can arrive any more, in milliseconds since the epoch. */
  dueAt: number;
}

/** Id under which a release of the operation is recorded; operations of two companies never share an id. */
export function releaseId(operationId: number, companyId: number): string {
  return `${operationId}:${companyId}`;
}

/** They are removed when they are due. */
export const RELEASES: CollectionDeclaration<ReleaseRecord> = {
  name: "file_releases",
  indexes: [DUE_INDEX],
  belongs: [{ of: "reading", belongs: ({ id }, companyId) => id.endsWith(`:${companyId}`) }],
};

/** The work of this service that is repeated. */
export const CHORES = choresOf("media");

/** Time after which an interrupted removal is resumed, in milliseconds. */
export const REMOVE_AGAIN_MS = 5 * 60_000;

export interface FileRepositoryDeps {
  store: Store;
  blobs: Blobs;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** A file that no operation uses is deleted after this time, in milliseconds. */
  unusedMs: number;
}

/** The stored files. Only this service reads and writes their records. */
export class FileRepository {
  private constructor(
    private readonly deps: FileRepositoryDeps,
    readonly files: Collection<FileRecord>,
    readonly releases: Collection<ReleaseRecord>,
    readonly chores: Collection<ChoreRecord>,
    /** The key by which links are signed. */
    readonly linkKeys: Collection<StoredKey>,
    /** The links that were given for idempotency keys. */
    readonly linkAnswers: KeptAnswers<IssuedLink>,
  ) {}

  /** Opens the collections, and creates those that are missing. */
  static async open(deps: FileRepositoryDeps): Promise<FileRepository> {
    const { store, now } = deps;
    const answers = await KeptAnswers.open<IssuedLink>({ store, kind: LINK_ANSWERS, now });
    const releases = await store.collection(RELEASES);
    const [chores, linkKeys] = [await store.collection(CHORES), await store.collection(LINK_KEYS)];
    return new FileRepository(deps, await store.collection(FILES), releases, chores, linkKeys, answers);
  }

  nextId(): Promise<number> {
    return this.deps.store.nextId("files");
  }

  /** The record of a file. AppError `not-found` if it is unknown or belongs to another company. */
  async find(id: number, companyId: number): Promise<FileRecord> {
    const record = await this.files.get(id);
    if (record?.companyId === companyId && isStored(record)) return record;
    throw fileNotFound();
  }

  /**
   * One page of the company's files that an operation can still use, newest first. Throws AppError `invalid` for a cursor
   * that was not issued here.
   */
  list(companyId: number, page: IdPageRequest): Promise<IdPage<FileRecord>> {
    return readIdPage(this.files, { companyId, state: "unused" }, page);
  }

  /** The bytes of a file. AppError `not-found` if it is unknown or belongs to another company. */
  async *read(id: number, companyId: number): AsyncGenerator<Uint8Array> {
    await this.find(id, companyId);
    yield* this.readBytes(id);
  }

  /** The bytes of a file whose record was found, or a part of them. */
  readBytes(id: number, range?: ByteRange): AsyncIterable<Uint8Array> {
    return this.deps.blobs.get(blobKeyOf(id), range);
  }

  /** The small picture of a file that is kept; undefined if none is. */
  async readPreview(id: number, width: PreviewWidth): Promise<Uint8Array | undefined> {
    try {
      const parts: Uint8Array[] = [];
      for await (const part of this.deps.blobs.get(previewKeyOf(id, width))) parts.push(part);
      return Buffer.concat(parts);
    } catch (error) {
      if (error instanceof AppError && error.kind === "not-found") return undefined;
      throw error;
    }
  }

  /** Keeps a small picture of a file as long as the file. AppError `not-found` if that has been deleted meanwhile. */
  async putPreview({ id, companyId }: FileRecord, width: PreviewWidth, webp: Uint8Array): Promise<void> {
    const key = previewKeyOf(id, width);
    await this.deps.blobs.put(key, inOnePiece(webp));
    // Whoever deletes the file changes its record first, and would not see a picture that is stored after that.
    await this.find(id, companyId).catch(async (error: unknown) => {
      await this.deps.blobs.delete(key);
      throw error;
    });
  }

  /** Stores the bytes of a file. */
  async putBytes(id: number, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    await this.deps.blobs.put(blobKeyOf(id), bytes);
  }

  async deleteBytes(id: number): Promise<void> {
    await this.deps.blobs.delete(blobKeyOf(id));
  }

  /**
   * Deletes a file that no operation uses. AppError `invalid` if it is used, `not-found` if it is unknown or belongs to
   * another company. A file in state `deleting` is always removed, if necessary by the sweeper after a crash.
   */
  async delete(id: number, companyId: number): Promise<void> {
    const record = await this.files.update({ id, companyId, state: "unused" }, { set: this.asDeleting() });
    if (record === undefined) {
      await this.find(id, companyId);
      const message = "Delete the operation that uses this file: the file goes with it.";
      throw AppError.invalid([{ field: "id", message }], "file_used");
    }
    failpoint("media.mid_delete");
    await this.remove(record);
  }

  /** Deletes the files that the operation has claimed; does nothing without a claim. */
  async deleteOfOperation(operationId: number, companyId: number): Promise<void> {
    const claimed = { operationId, companyId };
    await this.files.updateMany({ ...claimed, state: { in: CLAIM_STATES } }, { set: this.asDeleting() });
    failpoint("media.mid_delete");
    for (const record of await this.files.find({ ...claimed, state: "deleting" })) await this.remove(record);
  }

  /**
   * Removes a file in state `deleting`: the bytes first, so that after a crash the record remains and the sweeper
   * continues. Only the idempotency key of the upload is kept for a while, without any data about the file.
   */
  async remove(record: FileRecord): Promise<void> {
    const { id, createdAt, facts } = record;
    await this.deleteBytes(id);
    if (facts?.hasPictures === true) for (const key of previewKeysOf(id)) await this.deps.blobs.delete(key);
    if (!isFresh(record, this.deps.now())) {
      await this.files.delete({ id, state: "deleting" });
      return;
    }
    const rest = { dueAt: createdAt + IDEMPOTENCY_TTL_MS, operationId: null, name: "", facts: null };
    await this.files.update({ id, state: "deleting" }, { set: { state: "gone", ...rest } });
  }

  /** The fields of a file that becomes free for operations. */
  asUnused() {
    return { state: "unused", operationId: null, dueAt: this.deps.now() + this.deps.unusedMs } as const;
  }

  /** The fields of a file that is about to be removed. */
  asDeleting() {
    return { state: "deleting", dueAt: this.deps.now() + REMOVE_AGAIN_MS } as const;
  }
}

/** Whether the whole file is stored. */
export function isStored({ state }: FileRecord): boolean {
  return STORED_STATES.includes(state);
}

/** The same error for unknown files and for those of others, so that callers cannot tell them apart. */
export function fileNotFound(): AppError {
  return new AppError("not-found", "There is no file with this id: it was deleted, or the id is wrong.");
}

/** Widths of small pictures in pixels. */
export const PREVIEW_WIDTHS = [64, 256, 1024] as const;

export type PreviewWidth = (typeof PREVIEW_WIDTHS)[number];

function previewKeyOf(fileId: number, width: PreviewWidth): string {
  return `${contractBlobKey(FilePreviewSchema, fileId)}-${width}`;
}

function previewKeysOf(fileId: number): string[] {
  return PREVIEW_WIDTHS.map((width) => previewKeyOf(fileId, width));
}

async function* inOnePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}

/** Key of the blob that holds the bytes. */
function blobKeyOf(fileId: number): string {
  return contractBlobKey(FileSchema, fileId);
}
