import { Worker } from "node:worker_threads";
import { LateFileError, UnreadableFileError } from "../media/probe/facts.js";
import type { ChildResult } from "./media-pool.js";

// What the processes that decode files have in common.

/** Does the work of a call, and names its failure, because error classes do not survive the transfer to the parent. */
export async function reported<T>(work: () => Promise<T>): Promise<ChildResult<T>> {
  try {
    return { value: await work(), rssBytes: process.memoryUsage.rss() };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (error instanceof LateFileError) return { late: message };
    return error instanceof UnreadableFileError ? { unreadable: message } : { failed: message };
  }
}

const CHECK_EVERY_MS = 100;

/** Runs in a separate thread, because the main one may be busy for long. */
const WATCHER = `
const { workerData } = require("node:worker_threads");
setInterval(() => {
  if (process.memoryUsage.rss() > workerData.bytesMax) process.kill(process.pid, "SIGKILL");
}, ${CHECK_EVERY_MS});
`;

/** Ends the calling process if it uses more than this memory, in MiB; without a number it is not watched. */
export const watchMemory = (memoryMaxMb: number | undefined): void => {
  if (memoryMaxMb === undefined) return;
  const bytesMax = memoryMaxMb * 1024 * 1024;
  new Worker(WATCHER, { eval: true, workerData: { bytesMax }, resourceLimits: { maxOldGenerationSizeMb: 16 } }).unref();
};
