import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { AppError, isDiskFull } from "@hourglass/runtime";

const PREFIX = "hourglass-scratch-";
/**
 * Folders of other machines, such as containers that share a volume, are removed once nothing was written to them for so
 * long, in milliseconds. No file is analyzed that long.
 */
const UNUSED_MS_MAX = 6 * 60 * 60_000;
/**
 * Paths of this process's own folders. In a container, a restarted process may have the process id of its predecessor,
 * usually 1.
 */
const ownFolders = new Set<string>();

/** Temporary files that exist only while they are analyzed. */
export class Scratch {
  private constructor(private readonly folder: string) {}

  /** Creates a folder for this process in the temporary folder; removes those of ended processes. */
  static async open(parent = tmpdir()): Promise<Scratch> {
    await removeLeftovers(parent);
    const folder = await mkdtemp(path.join(parent, `${PREFIX}${process.pid}-${hostname()}-`));
    ownFolders.add(folder);
    return new Scratch(folder);
  }

  /** Writes a file and passes its path to `use`; always removes it afterwards. Errors of the stream are passed on. */
  async hold<T>(bytes: AsyncIterable<Uint8Array>, use: (file: string) => Promise<T>): Promise<T> {
    const file = path.join(this.folder, randomUUID());
    try {
      // A worker on another machine may have taken it for a leftover.
      await mkdir(this.folder, { recursive: true, mode: 0o700 });
      await pipeline(bytes, createWriteStream(file, { flags: "wx", mode: 0o600 })).catch(explainFullDisk);
      return await use(file);
    } finally {
      await rm(file, { force: true });
    }
  }

  async close(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
    ownFolders.delete(this.folder);
  }
}

/** A full disk is the operator's problem, not the file's: the operation is retried. */
function explainFullDisk(error: unknown): never {
  throw isDiskFull(error)
    ? new AppError("unavailable", "The folder for temporary files is full.", { cause: error })
    : error;
}

async function removeLeftovers(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const folder = path.join(parent, name);
    if (!name.startsWith(PREFIX) || ownFolders.has(folder)) continue;
    // Another user's folder stays.
    if (await isLeftover(folder).catch(() => false))
      await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Whether its process has ended, or, if that ran on another machine, whether the folder is no longer used. */
async function isLeftover(folder: string): Promise<boolean> {
  // Earlier releases named no machine: they shared no folder with others.
  const [, pid, host = hostname()] = /^(\d+)-(?:(.+)-)?[^-]+$/.exec(path.basename(folder).slice(PREFIX.length)) ?? [];
  if (pid !== undefined && host === hostname()) return !isRunning(Number(pid));
  const { mtimeMs } = await stat(folder);
  return Date.now() - mtimeMs > UNUSED_MS_MAX;
}

/** Whether another process with this id is running. */
function isRunning(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
