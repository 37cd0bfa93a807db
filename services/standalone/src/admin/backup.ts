import { constants, type Dirent } from "node:fs";
import { chmod, copyFile, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { AppError, backUpDatabase } from "@hourglass/runtime";
import { UsageError, type Administration, type OptionValues } from "./administration.js";

/** Uploads in progress, in the folder `incoming` beside the blobs, are left out: they are not accepted yet. */
const FILES = "files";
const BLOBS = path.join(FILES, "blobs");
const KEYS = "keys";
const MODELS = "models";

/**
 * Copies the state of an embedded deployment while servers use it. The folder appears under its name once all of it is
 * on disk. Throws UsageError or AppError and then leaves nothing behind.
 */
export async function backup({ config }: Administration, { to = "" }: OptionValues): Promise<string[]> {
  if (config.mongodbUrl !== undefined) {
    throw new AppError("unimplemented", "The data is in MongoDB (MONGODB_URL). Back it up with mongodump.");
  }
  const { dataDir } = config;
  const folder = path.resolve(to);
  await mustBeFree(folder, dataDir);
  const partial = `${folder}.partial`;
  await makePartial(partial);
  try {
    const { databaseBytes, files, keys } = await copyAll(dataDir, partial);
    await rename(partial, folder);
    await sync(path.dirname(folder));
    return [
      `Backed up to ${folder}`,
      `database\t${databaseBytes} bytes`,
      `files\t${files.count} files, ${files.bytes} bytes`,
      `signing keys\t${keys.count} files`,
      ...(await leftOutOf(dataDir)).map((name) => `not copied\t${name}`),
    ];
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw toFailure(error, folder);
  }
}

/** The contents of a backup. */
interface Backup {
  databaseBytes: number;
  files: Copied;
  keys: Copied;
}

/**
 * The order makes the copy consistent. A blob is stored before the record that names it and deleted after it, so:
 *
 * - files are copied first: an operation accepted before the backup could otherwise end, and its files be deleted,
 *   between the copy of the database, in which it is still pending, and the copy of the files;
 * - files are copied again after the database: operations accepted in between would otherwise lack their files;
 * - keys are copied last, so that sessions that exist by then remain valid.
 *
 * Everything accepted before the backup began is complete in it. It lacks only files added and deleted in the meantime.
 */
async function copyAll(dataDir: string, target: string): Promise<Backup> {
  await mkdir(path.join(target, FILES), { mode: 0o700 });
  const blobs = new FolderCopy(path.join(dataDir, BLOBS), path.join(target, BLOBS));
  await blobs.run();
  const databaseBytes = await backUpDatabase({ dataDir, targetDir: target });
  await blobs.run();
  const keys = new FolderCopy(path.join(dataDir, KEYS), path.join(target, KEYS), (name) => name.endsWith(".pem"));
  await keys.run();
  for (const made of [path.join(target, FILES), target]) await sync(made);
  return { databaseBytes, files: blobs.copied, keys: keys.copied };
}

async function mustBeFree(folder: string, dataDir: string): Promise<void> {
  const [first] = path.relative(dataDir, folder).split(path.sep);
  if (first !== "..") {
    throw new UsageError(`Give --to a folder outside of the data folder ${dataDir}, or it would be lost with it.`);
  }
  const found = await readdir(folder).catch((error: unknown) => {
    if (isCode(error, "ENOENT")) return [];
    throw toFailure(error, folder);
  });
  if (found.length > 0) throw new UsageError(`Give --to a new or an empty folder: ${folder} is not empty.`);
}

/** Another backup may be writing there, so an existing folder is left alone. */
async function makePartial(partial: string): Promise<void> {
  try {
    await mkdir(path.dirname(partial), { recursive: true, mode: 0o700 });
    await mkdir(partial, { mode: 0o700 });
  } catch (error) {
    if (!isCode(error, "EEXIST")) throw toFailure(error, partial);
    const message = `The folder ${partial} is in the way. If no other backup is running, it is what one that was killed left: remove it.`;
    throw new AppError("conflict", message, { cause: error });
  }
}

/** Names in the data folder that a server uses but that are not part of a backup. */
async function leftOutOf(dataDir: string): Promise<string[]> {
  const names = await readdir(dataDir);
  return names.includes(MODELS) ? [`${MODELS} (can be had again; copy the folder if they cannot be downloaded)`] : [];
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

function toFailure(error: unknown, folder: string): unknown {
  if (error instanceof AppError) return error;
  return new AppError(
    "unavailable",
    `The backup to ${folder} failed. Check that the disk has room and that the folder can be written.`,
    { cause: error },
  );
}

/** The contents of a copy. */
interface Copied {
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
    await sync(target);
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

/** Flushes a file, or the entries of a folder, to disk. */
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
