import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { AppError, isDiskFull } from "@hourglass/runtime";

const PREFIX = "hourglass-scratch-";
/**
 * Paths of this process's own folders. In a container, a restarted process may have the process id of its predecessor,
 * usually 1.
 */
const own = new Set<string>();

/** Temporary files that exist only while they are analysed. */
export class Scratch {
  private constructor(private readonly folder: string) {}

  /** Creates a folder for this process in the temporary folder; removes those of ended processes. */
  static async open(parent = tmpdir()): Promise<Scratch> {
    await removeLeftovers(parent);
    const folder = await mkdtemp(path.join(parent, `${PREFIX}${process.pid}-`));
    own.add(folder);
    return new Scratch(folder);
  }

  /** Writes a file and passes its path to `use`; always removes it afterwards. Errors of the stream are passed on. */
  async hold<T>(bytes: AsyncIterable<Uint8Array>, use: (file: string) => Promise<T>): Promise<T> {
    const file = path.join(this.folder, randomUUID());
    try {
      await pipeline(bytes, createWriteStream(file, { flags: "wx", mode: 0o600 })).catch(explainFullDisk);
      return await use(file);
    } finally {
      await rm(file, { force: true });
    }
  }

  async close(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
    own.delete(this.folder);
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
    const pid = /^hourglass-scratch-(\d+)-/.exec(name)?.[1];
    const folder = path.join(parent, name);
    if (pid === undefined || own.has(folder) || isAnother(Number(pid))) continue;
    await rm(folder, { recursive: true, force: true }).catch(() => undefined); // another user's
  }
}

/** Whether another process with this id is running. */
function isAnother(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
