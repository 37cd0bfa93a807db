import { Worker } from "node:worker_threads";
import { Connection } from "./connection.js";
import { findDamage, isDamage } from "./damage.js";

/** How long a statement waits for other connections, in milliseconds. */
const BUSY_MS = 5000;

/** Reads a database from end to end, even while servers use it; returns its damage. Throws if the check fails. */
export function checkFile(file: string): string | undefined {
  const connection = new Connection(file, BUSY_MS);
  try {
    return findDamage(connection);
  } catch (error) {
    if (!isDamage(error)) throw error;
    return error instanceof Error ? error.message : String(error);
  } finally {
    connection.close();
  }
}

/** A check that runs in the background. */
export interface BackgroundCheck {
  /** Resolves with the damage of the database, if any. Rejects if the check fails. */
  readonly found: Promise<string | undefined>;
  stop(): Promise<void>;
}

const WORKER = new URL("./check-worker.js", import.meta.url);

/** Like checkFile, in a separate thread, which ends with the process. */
export function checkInBackground(file: string): BackgroundCheck {
  const worker = new Worker(WORKER, { workerData: file });
  worker.unref();
  const found = new Promise<string | undefined>((resolve, reject) => {
    worker.once("message", (text: string) => resolve(text === "" ? undefined : text));
    worker.once("error", reject);
    worker.once("exit", () => reject(new Error("The check of the database was ended.")));
  });
  return { found, stop: async () => void (await worker.terminate()) };
}
