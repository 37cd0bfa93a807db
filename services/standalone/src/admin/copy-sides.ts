import { access, readdir } from "node:fs/promises";
import path from "node:path";
import { FileKeyStore, RecordKeyStore, type KeyStore } from "@hourglass/auth";
import {
  AppError,
  ConfigError,
  SCHEMA_VERSIONS,
  mustBeKnown,
  openSqliteStore,
  openFileBlobs,
  openMongo,
  type Blobs,
  type Logger,
  type ProcessConfig,
  type StoreContents,
} from "@hourglass/runtime";
import { UsageError } from "./administration.js";

/** Where a storage is: a data folder (absolute path) or a database of MongoDB. */
export type Place = { folder: string } | { url: string };

/** The storage that the servers use. */
export function configuredPlace({ dataDir, mongodbUrl }: Pick<ProcessConfig, "dataDir" | "mongodbUrl">): Place {
  return mongodbUrl === undefined ? { folder: path.resolve(dataDir) } : { url: mongodbUrl };
}

/** The storage that an operator has named. Throws UsageError. */
export function namedPlace(text: string): Place {
  if (/^mongodb(\+srv)?:\/\//.test(text)) return { url: text };
  if (text === "" || /^[a-z][a-z0-9+.-]*:\/\//i.test(text)) {
    throw new UsageError("Give --to the URL of a MongoDB database (mongodb://…) or a new folder.");
  }
  return { folder: path.resolve(text) };
}

/** Throws UsageError for a folder inside of the other. */
export function mustBeApart(source: Place, target: Place): void {
  if (!("folder" in source) || !("folder" in target)) return;
  const [first] = path.relative(source.folder, target.folder).split(path.sep);
  if (first !== "..") throw new UsageError(`Give --to a folder outside of the data folder ${source.folder}.`);
}

/** The place for people, without password and options. */
export function nameOf(place: Place): string {
  if ("folder" in place) return place.folder;
  return place.url.replace(/\?.*$/s, "").replace(/\/\/.*@/s, "//");
}

/** A storage that a copy reads or writes. */
export interface CopySide {
  /** For people. */
  name: string;
  contents: StoreContents;
  blobs: Blobs;
  keys: () => Promise<KeyStore>;
  close(): Promise<void>;
}

export interface SideOptions {
  log: Logger;
  /** Of the signing keys in MongoDB. */
  passphrase: string | undefined;
}

const DATABASE = "hourglass.db";
/** Time limit of a call to MongoDB, in milliseconds: long, since no caller waits for a single response. */
const CALL_MS = 25_000;

/** Opens the storage to copy. AppError if there is none, or if another process uses its folder. */
export async function openSource(place: Place, options: SideOptions): Promise<CopySide> {
  if ("folder" in place && !(await exists(path.join(place.folder, DATABASE)))) {
    throw new AppError(
      "not-found",
      `There is no database in ${place.folder}: set DATA_DIR to the folder of the server.`,
    );
  }
  return open(place, options);
}

/** Opens the storage to fill, and creates its folder. Throws UsageError for a folder with other contents. */
export async function openTarget(place: Place, options: SideOptions): Promise<CopySide> {
  if ("folder" in place && !(await exists(path.join(place.folder, DATABASE)))) await mustBeEmptyFolder(place.folder);
  try {
    return await open(place, options);
  } catch (error) {
    // It names the variable of the servers.
    if (!(error instanceof ConfigError) || !(error.cause instanceof Error)) throw error;
    throw new UsageError(`Give --to a URL that MongoDB's driver understands: ${error.cause.message}.`);
  }
}

function open(place: Place, options: SideOptions): Promise<CopySide> {
  return "folder" in place ? openFolder(place.folder, options) : openDatabase(place, options);
}

async function openFolder(folder: string, { log }: SideOptions): Promise<CopySide> {
  const store = await openSqliteStore({ dataDir: folder, log, alone: true, knows: SCHEMA_VERSIONS });
  const blobs = await openFileBlobs({ folder: path.join(folder, "files") });
  const close = async () => {
    await blobs.close();
    await store.close();
  };
  const keys = new FileKeyStore(path.join(folder, "keys"));
  return { name: folder, contents: store.contents, blobs, keys: () => Promise.resolve(keys), close };
}

async function openDatabase(place: { url: string }, { log, passphrase }: SideOptions): Promise<CopySide> {
  const mongo = await openMongo({ url: place.url, log, callMs: CALL_MS });
  const { store, blobs, contents } = mongo;
  const close = () => mongo.close();
  const name = nameOf(place);
  try {
    await store.ping();
    mustBeKnown((await contents.readBooks()).migrations, { knows: SCHEMA_VERSIONS, place: name });
  } catch (error) {
    await close();
    if (!(error instanceof AppError) || error.kind === "conflict") throw error;
    throw new AppError(error.kind, `${name} cannot be used.`, { cause: error.cause ?? error });
  }
  const keys = () => RecordKeyStore.open(contents, passphrase);
  return { name, contents, blobs, keys, close };
}

async function mustBeEmptyFolder(folder: string): Promise<void> {
  const found = await readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw new AppError("unavailable", `The folder ${folder} cannot be read.`, { cause: error });
  });
  if (found.length > 0) throw new UsageError(`Give --to a new or an empty folder: ${folder} is not empty.`);
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
