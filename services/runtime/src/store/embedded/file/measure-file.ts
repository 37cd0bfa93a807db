import { statSync } from "node:fs";
import { Worker } from "node:worker_threads";
import type { CollectionUsage, StoreUsage } from "../../usage.js";
import { Connection } from "./connection.js";
import { numberOf } from "./pragma.js";

/** How long a statement waits for other connections, in milliseconds. */
const BUSY_MS = 5000;

/** Rows of a table are in its leaves. Read as bytes: the driver aborts the process on text that is not UTF-8. */
const BY_TABLE = `
  SELECT CAST(s.tbl_name AS BLOB), sum(d.pgsize), sum(CASE WHEN s.type = 'table' AND d.pagetype = 'leaf' THEN d.ncell END)
  FROM dbstat AS d JOIN sqlite_master AS s ON s.name = d.name GROUP BY s.tbl_name ORDER BY s.tbl_name`;
const TABLE = /^c_([a-z][a-z0-9_]*)$/;

/** Measures a database, even while servers use it: reads all of it. */
export function measureFile(file: string): StoreUsage {
  const connection = new Connection(file, BUSY_MS);
  try {
    const collections = connection.all(BY_TABLE).flatMap(([table, bytes, rows]): CollectionUsage[] => {
      const name = TABLE.exec(String(table))?.[1];
      return name === undefined ? [] : [{ name, documents: Number(rows ?? 0), bytes: Number(bytes) }];
    });
    const totalBytes = sizeOf(file) + sizeOf(`${file}-wal`);
    const freeBytes = numberOf(connection, "freelist_count") * numberOf(connection, "page_size");
    return { collections, totalBytes, freeBytes };
  } finally {
    connection.close();
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

const WORKER = new URL("./measure-worker.js", import.meta.url);

/** Like measureFile, in a separate thread, which ends with the process. */
export function measureInBackground(file: string): Promise<StoreUsage> {
  const worker = new Worker(WORKER, { workerData: file });
  worker.unref();
  return new Promise((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", () => reject(new Error("The measurement of the database was ended.")));
  });
}
