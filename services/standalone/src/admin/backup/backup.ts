import { mkdir, readdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { AppError, backUpEmbeddedDatabase, type ProcessConfig } from "@hourglass/runtime";
import { FolderCopy, syncFolder, type Copied } from "./folder-copy.js";
import { UsageError } from "../../usage-error.js";

export interface BackupOptions {
  config: Pick<ProcessConfig, "dataDir" | "mongodbUrl">;
  /** Folder to create, as the operator typed it. */
  to: string;
}

/** The contents of a backup. */
export interface Backup {
  /** Absolute path. */
  folder: string;
  databaseBytes: number;
  files: Copied;
  keys: Copied;
  /** Names in the data folder that a server uses but that are not part of a backup. */
  leftOut: string[];
}

/** Uploads in progress, in the folder `incoming` beside the blobs, are left out: they are not accepted yet. */
const FILES = "files";
const BLOBS = path.join(FILES, "blobs");
const KEYS = "keys";
const MODELS = "models";

/**
 * Copies the state of an embedded deployment while servers use it. The folder appears under its name once all of it is
 * on disk. Throws UsageError or AppError and then leaves nothing behind.
 */
export async function backUp({ config, to }: BackupOptions): Promise<Backup> {
  if (config.mongodbUrl !== undefined) {
    throw new AppError("unimplemented", "The data is in MongoDB (MONGODB_URL). Back it up with mongodump.");
  }
  const { dataDir } = config;
  const folder = path.resolve(to);
  await mustBeFree(folder, dataDir);
  const partial = `${folder}.partial`;
  await makePartial(partial);
  try {
    const copied = await copyAll(dataDir, partial);
    await rename(partial, folder);
    await syncFolder(path.dirname(folder));
    return { folder, ...copied, leftOut: await leftOutOf(dataDir) };
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw toFailure(error, folder);
  }
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
async function copyAll(dataDir: string, target: string): Promise<Omit<Backup, "folder" | "leftOut">> {
  await mkdir(path.join(target, FILES), { mode: 0o700 });
  const blobs = new FolderCopy(path.join(dataDir, BLOBS), path.join(target, BLOBS));
  await blobs.run();
  const databaseBytes = await backUpEmbeddedDatabase({ dataDir, targetDir: target });
  await blobs.run();
  const keys = new FolderCopy(path.join(dataDir, KEYS), path.join(target, KEYS), (name) => name.endsWith(".pem"));
  await keys.run();
  for (const made of [path.join(target, FILES), target]) await syncFolder(made);
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
