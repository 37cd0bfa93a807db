import { createHash, type Hash } from "node:crypto";
import { createInspector, type MediaFacts, UnacceptableFileError } from "@hourglass/analysis/formats";
import {
  AppError,
  type Author,
  type Created,
  failpoint,
  findByIdempotency,
  isConflict,
  isStoreFull,
  keyReused,
  idempotencyOf,
  madeBefore,
  madeNow,
  type Measurements,
} from "@hourglass/runtime";
import type { FilesConfig } from "./config.js";
import { type FileRecord, type FileRepository, isStored } from "./store.js";

/**
 * Interval of the heartbeats of an upload, and the time without one after which the upload is dead and its remains are
 * removed. In milliseconds; long enough for clocks that differ by an hour.
 */
const HEARTBEAT_MS = 10 * 60_000;
const DEAD_AFTER_MS = 2 * 60 * 60_000;

export interface UploadDeps {
  repository: FileRepository;
  config: FilesConfig;
  metrics: Measurements;
  now: () => number;
}

/** A file that is being uploaded. */
export interface NewFile {
  companyId: number;
  /** Who uploads it; absent: a service. */
  createdBy?: Author | undefined;
  /** Name given by the client. */
  name: string;
  /** Empty without one. */
  idempotencyKey: string;
  bytes: AsyncIterable<Uint8Array>;
}

/** Stores uploaded files. */
export class FileUploads {
  constructor(private readonly deps: UploadDeps) {}

  /**
   * Stores a file. Throws AppError `invalid` if it cannot be analyzed, `too-large`, `unavailable`
   * (`storage_full` if there is no room), and the errors of the byte source; in each case nothing of it is kept.
   */
  async upload(file: NewFile): Promise<Created> {
    try {
      return await this.storeOnce(file);
    } catch (error) {
      // Records and bytes often share a disk; the caller need not know which of them found it full first.
      if (!isStoreFull(error)) throw error;
      throw new AppError("unavailable", "The storage of files is full. Try again once there is room.", {
        code: "storage_full",
        cause: error,
      });
    }
  }

  private async storeOnce(file: NewFile): Promise<Created> {
    const { repository, now } = this.deps;
    const idempotency = idempotencyOf(file.companyId, file.idempotencyKey);
    const earlier =
      idempotency === undefined ? undefined : await findByIdempotency(repository.files, idempotency, now());
    const bytes = new IncomingBytes(file.bytes, this.deps, { hashed: idempotency !== undefined });
    if (earlier === undefined) return this.store(file, bytes, idempotency);
    await bytes.drain();
    return sameAs(earlier, bytes.digest());
  }

  /**
   * The record is stored first, so that the sweeper finds what a crash leaves. The file exists once the record says so.
   */
  private async store(file: NewFile, bytes: IncomingBytes, idempotency: string | undefined): Promise<Created> {
    const { repository, now } = this.deps;
    const record = newRecord(await repository.nextId(), file, now());
    const { id } = record;
    await repository.files.insert(record);
    try {
      let facts: MediaFacts | null = null;
      const inspected = bytes.inspected((found) => (facts = found));
      await repository.putBytes(id, this.withHeartbeat(id, inspected));
      failpoint("media.after_blob");
      const sha256 = bytes.digest();
      const stored = { ...repository.asUnused(), facts, sha256 };
      const winner = await this.accept(id, { ...stored, ...(idempotency === undefined ? {} : { idempotency }) });
      if (winner === undefined) return madeNow(id);
      await this.discard(id);
      return sameAs(winner, sha256);
    } catch (error) {
      await this.discard(id);
      throw error;
    }
  }

  /** Makes the file usable. Returns the upload with the same key that was faster, if any. */
  private async accept(id: number, set: Partial<FileRecord>): Promise<FileRecord | undefined> {
    const { files } = this.deps.repository;
    try {
      const accepted = await files.update({ id, state: "incoming" }, { set });
      if (accepted !== undefined) return undefined;
    } catch (error) {
      const key = isConflict(error) && set.idempotency;
      const winner = key ? await findByIdempotency(files, key, this.deps.now()) : undefined;
      if (winner !== undefined) return winner;
      // A failed store may have written anyway, and a retry of the upload with its key may already have the id.
      if (await this.isUsable(id).catch(() => false)) return undefined;
      throw error;
    }
    throw new AppError("unavailable", "Storing the file took too long. Try again later.");
  }

  private async isUsable(id: number): Promise<boolean> {
    const record = await this.deps.repository.files.get(id);
    return record !== undefined && isStored(record);
  }

  /** Errors are ignored: the sweeper removes what is left, and the reason why the upload failed matters more. */
  private async discard(id: number): Promise<void> {
    const { repository, now } = this.deps;
    const { files } = repository;
    try {
      const discarded = await files.update({ id, state: "incoming" }, { set: { state: "deleting", dueAt: now() } });
      if (discarded === undefined && (await this.isUsable(id))) return;
      await repository.deleteBytes(id);
      await files.delete({ id, state: "deleting" });
    } catch {
      return;
    }
  }

  /** Passes the bytes through and periodically renews the record. */
  private async *withHeartbeat(id: number, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const { repository, now } = this.deps;
    let seenAt = performance.now();
    for await (const chunk of bytes) {
      yield chunk;
      if (performance.now() - seenAt < HEARTBEAT_MS) continue;
      seenAt = performance.now();
      await repository.files.update({ id, state: "incoming" }, { set: { dueAt: now() + DEAD_AFTER_MS } });
    }
  }
}

function newRecord(id: number, { companyId, createdBy, name }: NewFile, createdAt: number): FileRecord {
  return {
    id,
    companyId,
    state: "incoming",
    operationId: null,
    dueAt: createdAt + DEAD_AFTER_MS,
    name,
    createdAt,
    ...(createdBy && { createdBy }),
    facts: null,
    sha256: null,
    idempotency: null,
  };
}

/** The first upload. Throws AppError `invalid` if the key was used for other bytes. */
function sameAs({ id, sha256 }: FileRecord, uploadedSha256: string | null): Created {
  if (sha256 === uploadedSha256) return madeBefore(id);
  throw keyReused("metadata.idempotency_key");
}

/** The byte stream of one upload: counted, parsed and, if requested, hashed as it passes. */
class IncomingBytes {
  private readonly hash: Hash | undefined;
  private size = 0;

  constructor(
    private readonly bytes: AsyncIterable<Uint8Array>,
    private readonly deps: UploadDeps,
    { hashed }: { hashed: boolean },
  ) {
    // Hashing is a fifth of the cost of an upload, so it is done only if the hash will be compared.
    if (hashed) this.hash = createHash("sha256");
  }

  /**
   * Passes the bytes through; calls `onAccepted` with the facts at the end of an acceptable file. Throws AppError
   * `too-large`, or `invalid` as soon as it is clear that the file has no format that can be analyzed.
   */
  async *inspected(onAccepted: (facts: MediaFacts) => void): AsyncGenerator<Uint8Array> {
    const inspector = createInspector(this.deps.config.limits);
    for await (const chunk of this.counted()) {
      await orUnsupported(inspector.write(chunk));
      yield chunk;
    }
    onAccepted(await orUnsupported(inspector.end()));
  }

  /** Reads all bytes to the end. Throws AppError `too-large`, and `invalid` if there are none. */
  async drain(): Promise<void> {
    const bytes = this.counted();
    while ((await bytes.next()).done !== true);
  }

  /** SHA-256 of all bytes that have passed, base64url; null if they are not hashed. Can be called only once. */
  digest(): string | null {
    return this.hash?.digest("base64url") ?? null;
  }

  /** The metric counts all bytes that arrive, those of files that are refused included. */
  private async *counted(): AsyncGenerator<Uint8Array> {
    const { metrics, config } = this.deps;
    for await (const chunk of this.bytes) {
      metrics.countUploadBytes(chunk.length);
      this.size += chunk.length;
      if (this.size > config.uploadBytesMax) throw tooLarge(config.uploadBytesMax);
      this.hash?.update(chunk);
      yield chunk;
    }
    if (this.size === 0)
      throw AppError.invalid([{ field: "file", message: "Give a file that is not empty." }], "empty_file");
  }
}

/** Turns the inspector's refusal of a file into an AppError. */
async function orUnsupported<T>(inspection: Promise<T>): Promise<T> {
  try {
    return await inspection;
  } catch (error) {
    if (!(error instanceof UnacceptableFileError)) throw error;
    throw new AppError("invalid", error.message, {
      code: "unsupported_file",
      violations: [{ field: "file", message: error.message }],
    });
  }
}

function tooLarge(bytesMax: number): AppError {
  return new AppError(
    "too-large",
    `The file is larger than the ${bytesMax} bytes that are allowed. Send a smaller one.`,
    { code: "file_too_large" },
  );
}
