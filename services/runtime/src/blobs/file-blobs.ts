import { randomUUID } from "node:crypto";
import { mkdir, open, opendir, readdir, rename, rm, stat, type FileHandle } from "node:fs/promises";
import path from "node:path";
import { AppError } from "../errors/app-error.js";
import { type DiskSpaceMonitor, isDiskFull } from "../storage/disk-space-monitor.js";
import { isKey, mustBeKey, type Blobs, type ByteRange, type ListedBlob } from "./blobs.js";

const SUFFIX = ".blob";
const READ_BYTES = 128 * 1024;
/** Bytes buffered before a write, because each write is a round trip to another thread. */
const WRITE_BYTES = 256 * 1024;
/**
 * Bytes of a file that are written before the disk begins to store them. Left to the sync at the end, all of a large file
 * is stored while its sender waits; smaller parts cost more flushes than they save time.
 */
const FLUSH_BYTES = 8 * 1024 * 1024;
/** Flushes at a time in a process: each one keeps a thread of the pool that the writes of all files need, too. */
const FLUSHES_MAX = 2;
/** A temporary file without writes for this long belongs to a process that died, in milliseconds. */
const LEFTOVER_AFTER_MS = 2 * 60 * 60 * 1000;
const SWEEP_INTERVAL_MS = 10 * 60 * 1000;

interface FileBlobsOptions {
  folder: string;
  /** Receives the results of writes. */
  room?: DiskSpaceMonitor;
}

/** Blobs as files below `folder`. Partial files of processes that died are removed, now and periodically. */
export async function openFileBlobs({ folder, room }: FileBlobsOptions): Promise<Blobs> {
  const root = path.resolve(folder);
  const incoming = path.join(root, "incoming");
  await outage(mkdir(incoming, { recursive: true, mode: 0o700 }));
  await outage(removeLeftovers(incoming));
  return new FileBlobs(root, incoming, room);
}

class FileBlobs implements Blobs {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly folder: string,
    private readonly incoming: string,
    private readonly room: DiskSpaceMonitor | undefined,
  ) {}

  put(key: string, bytes: AsyncIterable<Uint8Array>): Promise<number> {
    const written = this.write(key, bytes);
    return this.room?.observe(written) ?? written;
  }

  private async write(key: string, bytes: AsyncIterable<Uint8Array>): Promise<number> {
    this.sweepFromNowOn();
    const target = this.fileOf(key);
    const temporary = path.join(this.incoming, randomUUID());
    try {
      const size = await writeDurably(temporary, bytes);
      const folder = path.dirname(target);
      const made = await outage(mkdir(folder, { recursive: true, mode: 0o700 }));
      await outage(rename(temporary, target));
      await syncFolders(folder, made === undefined ? folder : path.dirname(made));
      return size;
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => undefined); // the original error matters more
      throw error;
    }
  }

  async *get(key: string, range: ByteRange = { start: 0 }): AsyncIterable<Uint8Array> {
    const handle = await this.openExisting(key);
    try {
      const { size } = await outage(handle.stat());
      const end = Math.min(range.end ?? size, size);
      for (let position = range.start; position < end;) {
        const wanted = Math.min(READ_BYTES, end - position);
        const { bytesRead, buffer } = await outage(handle.read(Buffer.allocUnsafe(wanted), 0, wanted, position));
        // A blob is never changed in place, so a file that ends early is damaged; unchecked, the loop would not end.
        if (bytesRead === 0) throw unavailable(new Error(`The blob ${key} is shorter than its file system says.`));
        position += bytesRead;
        yield buffer.subarray(0, bytesRead);
      }
    } finally {
      await handle.close();
    }
  }

  async size(key: string): Promise<number | undefined> {
    try {
      return (await stat(this.fileOf(key))).size;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw unavailable(error);
    }
  }

  list(): AsyncGenerator<ListedBlob> {
    return this.listBelow("");
  }

  async delete(key: string): Promise<void> {
    await outage(rm(this.fileOf(key), { force: true }));
  }

  erase(key: string): Promise<void> {
    return this.delete(key);
  }

  /** The file system frees the bytes of a deleted file with its last reader. */
  eraseDeleted(): Promise<void> {
    return Promise.resolve();
  }

  async ping(): Promise<void> {
    await outage(stat(this.incoming));
  }

  close(): Promise<void> {
    clearInterval(this.timer);
    this.timer = undefined;
    return Promise.resolve();
  }

  private async *listBelow(prefix: string): AsyncGenerator<ListedBlob> {
    const folder = await unlessMissing(opendir(path.join(this.folder, "blobs", prefix)));
    if (folder === undefined) return;
    for await (const entry of folder) {
      const name = prefix + entry.name;
      if (entry.isDirectory()) yield* this.listBelow(`${name}/`);
      const key = name.endsWith(SUFFIX) ? name.slice(0, -SUFFIX.length) : "";
      if (!entry.isFile() || !isKey(key)) continue;
      const size = await this.size(key);
      if (size !== undefined) yield { key, size }; // else deleted since its folder was read
    }
  }

  /** Runs in every process that writes blobs. If a sweep fails, the next one makes up for it. */
  private sweepFromNowOn(): void {
    const sweep = () => void removeLeftovers(this.incoming).catch(() => undefined);
    this.timer ??= setInterval(sweep, SWEEP_INTERVAL_MS).unref();
  }

  /** One handle for size and bytes, because the blob may be replaced meanwhile. */
  private async openExisting(key: string): Promise<FileHandle> {
    const file = this.fileOf(key);
    try {
      return await open(file, "r");
    } catch (error) {
      if (isMissing(error)) throw new AppError("not-found", "There is no such file.");
      throw unavailable(error);
    }
  }

  /** Files end in `.blob`, so that one key may be a prefix of another and none is the folder of incoming files. */
  private fileOf(key: string): string {
    mustBeKey(key);
    return path.join(this.folder, "blobs", key + SUFFIX);
  }
}

/** Failures of the stream pass through unchanged; disk failures are `unavailable`. */
async function writeDurably(file: string, bytes: AsyncIterable<Uint8Array>): Promise<number> {
  const handle = await outage(open(file, "wx", 0o600));
  const flushes = new Flushes(handle);
  try {
    let size = 0;
    for await (const chunks of inBatches(bytes)) {
      const written = await outage(writeAll(handle, chunks));
      size += written;
      flushes.begin(written);
    }
    await outage(flushes.end());
    return size;
  } finally {
    await outage(handle.close());
  }
}

/** Makes a file durable while it is being written, so that little is left to be done at its end. */
class Flushes {
  private static running = 0;
  private unflushed = 0;
  private current: Promise<void> | undefined;
  private failure: { readonly cause: unknown } | undefined;

  constructor(private readonly handle: FileHandle) {}

  /** Begins a flush if enough was written since the last one; no write waits for it. */
  begin(written: number): void {
    this.unflushed += written;
    if (this.unflushed < FLUSH_BYTES || this.current !== undefined || Flushes.running === FLUSHES_MAX) return;
    this.unflushed = 0;
    this.current = this.flush();
  }

  /** Everything that was written is durable. Throws what any flush has met: the system reports a lost write only once. */
  async end(): Promise<void> {
    await this.current;
    if (this.failure !== undefined) throw this.failure.cause;
    await this.handle.sync();
  }

  private async flush(): Promise<void> {
    Flushes.running += 1;
    try {
      await this.handle.datasync();
    } catch (cause) {
      this.failure ??= { cause };
    } finally {
      Flushes.running -= 1;
      this.current = undefined;
    }
  }
}

async function* inBatches(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array[]> {
  let batch: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    batch.push(chunk);
    size += chunk.byteLength;
    if (size < WRITE_BYTES) continue;
    yield batch;
    batch = [];
    size = 0;
  }
  if (batch.length > 0) yield batch;
}

async function writeAll(handle: FileHandle, chunks: readonly Uint8Array[]): Promise<number> {
  const size = chunks.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const { bytesWritten } = await handle.writev(chunks);
  // A nearly full disk may write only a part; the next write then throws the reason.
  if (bytesWritten < size) await handle.writeFile(Buffer.concat(chunks).subarray(bytesWritten));
  return size;
}

/** Syncs from `folder` up to `top`; otherwise a power failure could undo the rename or the creation of a folder. */
async function syncFolders(folder: string, top: string): Promise<void> {
  const handle = await outage(open(folder, "r"));
  try {
    await outage(handle.sync());
  } finally {
    await handle.close();
  }
  if (folder.length > top.length) await syncFolders(path.dirname(folder), top);
}

async function removeLeftovers(incoming: string): Promise<void> {
  const before = Date.now() - LEFTOVER_AFTER_MS;
  for (const name of await readdir(incoming)) {
    const file = path.join(incoming, name);
    const found = await stat(file).catch(() => undefined); // another process may have removed it
    if (found !== undefined && found.mtimeMs < before) await rm(file, { force: true });
  }
}

async function outage<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw unavailable(error);
  }
}

function unavailable(cause: unknown): AppError {
  const full = isDiskFull(cause);
  const message = full
    ? "The storage of files is full. Try again once there is room."
    : "The storage of files is not available. Try again later.";
  return new AppError("unavailable", message, { cause, ...(full ? { code: "storage_full" } : { retryAfterMs: 1000 }) });
}

async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw unavailable(error);
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
