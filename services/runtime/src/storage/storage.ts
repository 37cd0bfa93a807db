import { mkdir, readdir, stat } from "node:fs/promises";
import path from "node:path";
import type { Blobs } from "../blobs/blobs.js";
import { openFileBlobs } from "../blobs/file-blobs.js";
import type { ProcessConfig } from "../config/process-config.js";
import type { Logger } from "../log.js";
import type { Lifecycle } from "../process/lifecycle.js";
import { DISK, type Dependencies } from "../process/readiness.js";
import { openEmbeddedQueue } from "../queue/embedded-queue.js";
import type { Queue } from "../queue/queue.js";
import { openRabbitQueue } from "../queue/rabbitmq/rabbit-queue.js";
import type { StoreContents } from "../store/contents.js";
import { SCHEMA_VERSIONS } from "../store/migrations.js";
import { openSqliteStore, type SqliteStore } from "../store/sqlite/sqlite-store.js";
import type { Store } from "../store/store.js";
import { DiskReserve } from "./disk-reserve.js";
import { DiskSpaceMonitor } from "./disk-space-monitor.js";
import type { Mongo, MongoOptions } from "./mongo.js";

/** The storage of all services. */
export interface Storage {
  store: Store;
  queue: Queue;
  blobs: Blobs;
}

/** The storage, and the store as a whole. */
export interface WholeStorage extends Storage {
  contents: StoreContents;
}

interface StorageOptions<P extends keyof WholeStorage> {
  config: Pick<ProcessConfig, "dataDir" | "mongodbUrl" | "amqpUrl" | "amqpPrefix" | "leaseMs">;
  log: Logger;
  lifecycle: Lifecycle;
  /** The parts that this process uses. */
  parts: readonly P[];
  /** Receives the state of the database in the data folder, for readiness. */
  dependencies?: Pick<Dependencies, "know">;
}

export const ALL_PARTS = ["store", "queue", "blobs"] as const satisfies readonly (keyof Storage)[];

/**
 * Opens the parts of the storage that the process uses: MongoDB and RabbitMQ if configured, which may be unavailable at
 * the time; otherwise files in the data folder. AppError with a one-line reason if those cannot be opened.
 */
export async function openStorage<P extends keyof WholeStorage>(
  options: StorageOptions<P>,
): Promise<Pick<WholeStorage, P>> {
  const opener = new Opener(options);
  const opened: Partial<WholeStorage> = {};
  const wants = (part: keyof WholeStorage) => (options.parts as readonly string[]).includes(part);
  if (wants("store")) opened.store = await opener.openStore();
  if (wants("queue")) opened.queue = await opener.openQueue();
  if (wants("blobs")) opened.blobs = await opener.openBlobs();
  if (wants("contents")) opened.contents = await opener.openContents();
  return opened as Pick<WholeStorage, P>;
}

/** Name of the store for the operator. */
export function nameOfStore({ mongodbUrl }: Pick<ProcessConfig, "mongodbUrl">): string {
  return mongodbUrl === undefined ? "The data folder" : "MongoDB";
}

/** Opens each part once; parts share their common resources. */
class Opener {
  private sqlite: Promise<SqliteStore> | undefined;
  private mongo: Promise<Mongo> | undefined;

  constructor(private readonly options: StorageOptions<keyof WholeStorage>) {}

  async openStore(): Promise<Store> {
    const { mongodbUrl } = this.options.config;
    return mongodbUrl === undefined ? this.openSqlite() : (await this.openMongo(mongodbUrl)).store;
  }

  async openContents(): Promise<StoreContents> {
    const { mongodbUrl } = this.options.config;
    return (mongodbUrl === undefined ? await this.openSqlite() : await this.openMongo(mongodbUrl)).contents;
  }

  async openQueue(): Promise<Queue> {
    const { config, log, lifecycle } = this.options;
    const { amqpUrl: url, amqpPrefix: prefix } = config;
    const queue =
      url === undefined
        ? await openEmbeddedQueue({
            database: (await this.openSqlite()).database,
            log,
            leaseMs: config.leaseMs,
          })
        : await openRabbitQueue({ url, prefix, log });
    lifecycle.add("queue", () => queue.close());
    return queue;
  }

  async openBlobs(): Promise<Blobs> {
    const { config, log } = this.options;
    const { dataDir, mongodbUrl } = config;
    if (mongodbUrl === undefined) {
      const folder = path.join(dataDir, "files");
      return openFileBlobs({ folder, room: new DiskSpaceMonitor(log, { folder, holds: "files" }) });
    }
    return (await this.openMongo(mongodbUrl)).blobs;
  }

  private openSqlite(): Promise<SqliteStore> {
    const { config } = this.options;
    this.sqlite ??= this.openIn(config.dataDir);
    return this.sqlite;
  }

  private async openIn(dataDir: string): Promise<SqliteStore> {
    const { log, lifecycle, dependencies } = this.options;
    const room = new DiskSpaceMonitor(log, { folder: dataDir, holds: "records" });
    await mkdir(dataDir, { recursive: true, mode: 0o700 }).catch(() => undefined); // opening the store reports the reason
    const reserve = await DiskReserve.open({ folder: dataDir });
    const store = await openSqliteStore({ dataDir, log, room, reserve, knows: SCHEMA_VERSIONS });
    lifecycle.add("store", () => store.close());
    await warnIfOpenToOthers(dataDir, log);
    dependencies?.know(() => ({ database: { state: store.state } }));
    dependencies?.know(async () => ({
      [DISK]: { state: room.isFull || (await reserve.isDiskFull()) ? "full" : "ready" },
    }));
    return store;
  }

  private openMongo(url: string): Promise<Mongo> {
    const { log, lifecycle } = this.options;
    this.mongo ??= openMongo({ url, log, knows: SCHEMA_VERSIONS }).then((mongo) => {
      lifecycle.add("MongoDB", () => mongo.close());
      return mongo;
    });
    return this.mongo;
  }
}

/**
 * Opens the store and the blobs in one MongoDB database, over one connection pool. Resolves without contacting the
 * server: while it is unavailable, every method fails as AppError `unavailable` within seconds, and works once it is
 * back. Throws ConfigError for an unusable address. The driver is loaded here and not at import, so that a process
 * without MongoDB does not load it.
 */
export async function openMongo(options: MongoOptions): Promise<Mongo> {
  const mongo = await import("./mongo.js");
  return mongo.buildMongo(options);
}

/** Mode bits that give group and others read, write or execute access. */
const GROUP_AND_OTHERS = 0o077;
/** Levels below the data folder: its entries, and their contents, for example each key. */
const DEPTH = 2;
/** Downloaded models are not secret, and other users of the machine may share them. */
const PUBLIC = new Set(["models"]);

/**
 * Warns, in one line, if other users of the machine can access the data folder or keys, records and files in it. The
 * product creates files for their owner only; a folder that existed before or was copied may have other modes.
 */
async function warnIfOpenToOthers(dataDir: string, log: Logger): Promise<void> {
  if (process.platform === "win32") return; // modes have no meaning there
  const open = await openBelow(dataDir, DEPTH);
  if (open.length === 0) return;
  log.warn(
    { dataDir, open, remedy: `chmod -R go-rwx ${dataDir}` },
    "the data folder is open to other users of this machine",
  );
}

/** Paths with their modes, such as `/srv/data/keys (755)`; a path that disappears meanwhile is left out. */
async function openBelow(entry: string, depth: number): Promise<string[]> {
  const found = await stat(entry).catch(() => undefined);
  if (found === undefined) return [];
  const own = (found.mode & GROUP_AND_OTHERS) === 0 ? [] : [`${entry} (${(found.mode & 0o777).toString(8)})`];
  if (depth === 0 || !found.isDirectory()) return own;
  const names = (await readdir(entry).catch(() => [])).filter((name) => !PUBLIC.has(name));
  const below = await Promise.all(names.sort().map((name) => openBelow(path.join(entry, name), depth - 1)));
  return [...own, ...below.flat()];
}
