import type { MediaFacts } from "@hourglass/analysis/formats";
import {
  AppError,
  failpoint,
  findByMark,
  isConflict,
  isStoreFull,
  keyReused,
  markOf,
  type Measurements,
} from "@hourglass/runtime";
import { blobKeyOf, type FileRecord, USABLE } from "../records/file-record.js";
import { IncomingBytes, type UploadLimits } from "./incoming-bytes.js";
import type { RemovalDeps } from "../files/remove-file.js";

export interface UploadFileDeps extends RemovalDeps {
  nextId: () => Promise<number>;
  limits: UploadLimits;
  metrics: Pick<Measurements, "countUploadBytes">;
  /** A file that no operation uses is deleted after this time, in milliseconds. */
  unusedMs: number;
}

/** A file that is being uploaded. */
export interface NewFile {
  companyId: number;
  /** Name given by the client. */
  name: string;
  /** Empty without one. */
  idempotencyKey: string;
  bytes: AsyncIterable<Uint8Array>;
}

/**
 * Stores a file and returns its id. Throws AppError `invalid` if it cannot be analysed, `too-large`, `unavailable`
 * (`storage_full` if there is no room), and the errors of the byte source; in each case nothing of it is kept.
 */
export type UploadFile = (file: NewFile) => Promise<number>;

/**
 * Interval of the heartbeats of an upload, and the time without one after which the upload is dead and its remains are
 * removed. In milliseconds; long enough for clocks that differ by an hour.
 */
const SIGN_OF_LIFE_MS = 10 * 60_000;
const DEAD_AFTER_MS = 2 * 60 * 60_000;

export function createUploadFile(deps: UploadFileDeps): UploadFile {
  return async (file) => {
    try {
      return await upload(deps, file);
    } catch (error) {
      // Records and bytes often share a disk; the caller need not know which of them found it full first.
      if (!isStoreFull(error)) throw error;
      throw new AppError("unavailable", "The storage of files is full. Try again once there is room.", {
        code: "storage_full",
        cause: error,
      });
    }
  };
}

/** Counts bytes as they arrive, those of files that are refused included. */
async function* counted(
  bytes: AsyncIterable<Uint8Array>,
  { countUploadBytes }: Pick<Measurements, "countUploadBytes">,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    countUploadBytes(chunk.length);
    yield chunk;
  }
}

async function upload(deps: UploadFileDeps, file: NewFile): Promise<number> {
  const mark = markOf(file.companyId, file.idempotencyKey);
  const earlier = mark === undefined ? undefined : await findByMark(deps.files, mark, deps.now());
  const arriving = counted(file.bytes, deps.metrics);
  const bytes = new IncomingBytes(arriving, deps.limits, { hashed: mark !== undefined });
  if (earlier === undefined) return store(deps, { file, bytes, mark });
  await bytes.drain();
  return sameUpload(earlier, bytes.digest());
}

interface Upload {
  file: NewFile;
  bytes: IncomingBytes;
  mark: string | undefined;
}

/**
 * The record is stored first, so that the sweeper finds what a crash leaves. The file exists once the record says so.
 */
async function store(deps: UploadFileDeps, { file, bytes, mark }: Upload): Promise<number> {
  const { files, blobs, now } = deps;
  const record = draft(await deps.nextId(), file, now());
  await files.insert(record);
  try {
    let facts: MediaFacts | null = null;
    const inspected = bytes.inspected((passed) => (facts = passed));
    await blobs.put(blobKeyOf(record.id), alive(deps, record.id, inspected));
    failpoint("media.after_blob");
    const sha256 = bytes.digest();
    const kept = { state: "unused", facts, sha256, dueAt: now() + deps.unusedMs } as const;
    const winner = await accept(deps, record.id, { ...kept, ...(mark === undefined ? {} : { idempotency: mark }) });
    if (winner === undefined) return record.id;
    await discard(deps, record.id);
    return sameUpload(winner, sha256);
  } catch (error) {
    await discard(deps, record.id);
    throw error;
  }
}

function draft(id: number, { companyId, name }: NewFile, createdAt: number): FileRecord {
  return {
    id,
    companyId,
    state: "incoming",
    operationId: null,
    dueAt: createdAt + DEAD_AFTER_MS,
    name,
    createdAt,
    facts: null,
    sha256: null,
    idempotency: null,
  };
}

/** Makes the file usable. Returns the upload with the same key that was faster, if any. */
async function accept(deps: UploadFileDeps, id: number, kept: Partial<FileRecord>): Promise<FileRecord | undefined> {
  const { files, now } = deps;
  try {
    const accepted = await files.update({ id, state: "incoming" }, { set: kept });
    if (accepted !== undefined) return undefined;
  } catch (error) {
    const isKeyed = isConflict(error) && kept.idempotency;
    const winner = isKeyed ? await findByMark(files, isKeyed, now()) : undefined;
    if (winner !== undefined) return winner;
    // A failed store may have written nevertheless, and a retry of the upload with its key may already have the id.
    if (await isUsable(deps, id).catch(() => false)) return undefined;
    throw error;
  }
  throw new AppError("unavailable", "Storing the file took too long. Try again later.");
}

/** The id of the first upload. Throws AppError `invalid` if the key was used for other bytes. */
function sameUpload({ id, sha256 }: FileRecord, uploadedSha256: string | null): number {
  if (sha256 === uploadedSha256) return id;
  throw keyReused("metadata.idempotency_key");
}

async function isUsable({ files }: UploadFileDeps, id: number): Promise<boolean> {
  const record = await files.get(id);
  return record !== undefined && USABLE.includes(record.state);
}

/** Errors are ignored: the sweeper removes what is left, and the reason why the upload failed matters more. */
async function discard(deps: UploadFileDeps, id: number): Promise<void> {
  const { files, blobs, now } = deps;
  try {
    const mine = await files.update({ id, state: "incoming" }, { set: { state: "deleting", dueAt: now() } });
    if (mine === undefined && (await isUsable(deps, id))) return;
    await blobs.delete(blobKeyOf(id));
    await files.delete({ id, state: "deleting" });
  } catch {
    return;
  }
}

/** Passes the bytes on and periodically renews the record. */
async function* alive(
  { files, now }: UploadFileDeps,
  id: number,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let seenAt = performance.now();
  for await (const chunk of bytes) {
    yield chunk;
    if (performance.now() - seenAt < SIGN_OF_LIFE_MS) continue;
    seenAt = performance.now();
    await files.update({ id, state: "incoming" }, { set: { dueAt: now() + DEAD_AFTER_MS } });
  }
}
