import { constants, type Dirent } from "node:fs";
import { copyFile, chmod, mkdir, open, readdir, stat } from "node:fs/promises";
import path from "node:path";

/** The contents of a copy. */
export interface Copied {
  count: number;
  bytes: number;
}

/**
 * Copies the files below a folder, durably and readable only by the owner, while others add and remove files. Files
 * must be added to the folder by renaming and never be changed in place. A repeated run adds what is new.
 */
export class FolderCopy {
  /**
   * Files copied so far: path below the folder, to a version that distinguishes files of the same name, and the size.
   */
  private readonly done = new Map<string, { version: string; bytes: number }>();

  constructor(
    private readonly source: string,
    private readonly target: string,
    /** Selects the file names to copy. */
    private readonly wanted: (name: string) => boolean = () => true,
  ) {}

  get copied(): Copied {
    const sizes = [...this.done.values()].map(({ bytes }) => bytes);
    return { count: sizes.length, bytes: sizes.reduce((sum, bytes) => sum + bytes, 0) };
  }

  run(): Promise<void> {
    return this.copyFolder("");
  }

  private async copyFolder(below: string): Promise<void> {
    const entries = await unlessMissing(readdir(path.join(this.source, below), { withFileTypes: true }));
    if (entries === undefined) return;
    const target = path.join(this.target, below);
    await mkdir(target, { recursive: true, mode: 0o700 });
    for (const entry of entries) await this.copyEntry(entry, path.join(below, entry.name));
    await syncFolder(target);
  }

  private async copyEntry(entry: Dirent, below: string): Promise<void> {
    if (entry.isDirectory()) await this.copyFolder(below);
    else if (entry.isFile() && this.wanted(entry.name)) await this.copyOne(below);
  }

  private async copyOne(below: string): Promise<void> {
    const from = path.join(this.source, below);
    const found = await unlessMissing(stat(from));
    if (found === undefined) return; // deleted since the folder was read
    const version = `${found.ino} ${found.size} ${found.mtimeMs}`;
    if (this.done.get(below)?.version === version) return;
    const to = path.join(this.target, below);
    // Shares the blocks if the file system supports it.
    const gone = (await unlessMissing(copyFile(from, to, constants.COPYFILE_FICLONE).then(() => true))) === undefined;
    if (gone) return;
    await chmod(to, 0o600);
    await sync(to);
    this.done.set(below, { version, bytes: found.size });
  }
}

/** Flushes the entries of a folder to disk. */
export function syncFolder(folder: string): Promise<void> {
  return sync(folder);
}

async function sync(file: string): Promise<void> {
  const handle = await open(file, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Undefined if the file or folder is gone. */
async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
