import type { Blobs } from "../blobs/blobs.js";
import type { Logger } from "../log.js";
import { repeat, type Stoppable } from "../process/repetition.js";
import type { Foundation } from "../process/run-process.js";
import type { StoreContents } from "../store/contents.js";
import type { ServiceData } from "../store/declaration.js";
import type { Measurements, Reading } from "../telemetry/measurements.js";
import { freeOn } from "./disk-reserve.js";

/** Reports what the storage of a process takes, until the process stops; of an embedded store also what its disk has free. */
export function measureStorage(
  { config, log, lifecycle }: Foundation,
  measured: Omit<StorageUsageOptions, "dataDir" | "log">,
): void {
  const where = config.mongodbUrl === undefined ? { dataDir: config.dataDir } : {};
  const gauges = startStorageGauges({ ...measured, ...where, log });
  lifecycle.addWork("storage gauges", (graceMs) => gauges.stop(graceMs));
}

interface StorageUsageOptions {
  contents: Pick<StoreContents, "measure">;
  /** Absent in a process that keeps no files. */
  blobs?: Pick<Blobs, "list"> | undefined;
  /** What this process owns; it reports nothing else. */
  data: readonly ServiceData[];
  /** Whether it reports the database as a whole. */
  whole: boolean;
  /** Of an embedded store, whose disk is watched. */
  dataDir?: string | undefined;
  metrics: Pick<Measurements, "gauge">;
  log: Logger;
  /** Shortest pause between two measurements, in milliseconds. Default: five minutes. */
  everyMs?: number;
  /** Pause before the first one. Default: ten seconds. */
  firstMs?: number;
}

const EVERY_MS = 5 * 60_000;
const FIRST_MS = 10_000;
/** A measurement that takes long is repeated more rarely, so that it takes at most a hundredth of the time. */
const REST = 99;

interface Measured {
  bytes: Reading[];
  documents: Reading[];
}

/**
 * Measures in the background what the records and files of this process take, and reports what was measured last. The
 * kinds are `records` and `files`, by collection and folder, and `database`, the whole of it and what is free of it.
 */
export function startStorageGauges(options: StorageUsageOptions): Stoppable {
  const { metrics, dataDir, log, everyMs = EVERY_MS, firstMs = FIRST_MS } = options;
  let last: Measured = { bytes: [], documents: [] };
  metrics.gauge(
    "hourglass_storage_bytes",
    "Bytes in the storage by kind and name, measured every few minutes",
    () => Promise.resolve(last.bytes),
    ["kind", "name"],
  );
  metrics.gauge(
    "hourglass_storage_documents",
    "Documents by collection, measured every few minutes",
    () => Promise.resolve(last.documents),
    ["name"],
  );
  if (dataDir !== undefined) {
    metrics.gauge("hourglass_disk_free_bytes", "Bytes free on the disk of the data folder", () => freeOn(dataDir));
  }
  const work = async () => {
    const begun = performance.now();
    try {
      last = await measure(options);
    } catch (error) {
      log.warn({ err: error }, "the storage could not be measured, trying again");
    }
    return Math.max(everyMs, REST * (performance.now() - begun));
  };
  return repeat(work, { firstMs });
}

async function measure({ contents, blobs, data, whole }: StorageUsageOptions): Promise<Measured> {
  const { collections, totalBytes, freeBytes } = await contents.measure();
  const own = new Set(data.flatMap((service) => service.collections.map(({ name }) => name)));
  const owned = collections.filter(({ name }) => own.has(name));
  const folders = data.flatMap((service) => service.blobFolders ?? []);
  const files =
    blobs === undefined || folders.length === 0 ? new Map<string, FolderUsage>() : await measureBlobs(blobs);
  const bytesOf = (kind: string, name: string, value: number): Reading => ({ labels: { kind, name }, value });
  return {
    bytes: [
      ...owned.map(({ name, bytes }) => bytesOf("records", name, bytes)),
      ...folders.map((folder) => bytesOf("files", folder, files.get(folder)?.bytes ?? 0)),
      ...(whole ? [bytesOf("database", "total", totalBytes), bytesOf("database", "free", freeBytes)] : []),
    ],
    documents: owned.map(({ name, documents }) => ({ labels: { name }, value: documents })),
  };
}

/** The blobs whose keys begin with the same word. */
interface FolderUsage {
  files: number;
  bytes: number;
}

/** Measures all blobs by the first word of their keys. */
export async function measureBlobs(blobs: Pick<Blobs, "list">): Promise<Map<string, FolderUsage>> {
  const folders = new Map<string, FolderUsage>();
  for await (const { key, size } of blobs.list()) {
    const [folder = ""] = key.split("/");
    const { files, bytes } = folders.get(folder) ?? { files: 0, bytes: 0 };
    folders.set(folder, { files: files + 1, bytes: bytes + size });
  }
  return folders;
}
