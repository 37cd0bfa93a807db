import { Worker } from "node:worker_threads";

const LOOK_EVERY_MS = 100;

/** Runs in a separate thread, because the main one may be busy for long. */
const WATCH = `
const { workerData } = require("node:worker_threads");
setInterval(() => {
  if (process.memoryUsage.rss() > workerData.bytesMax) process.kill(process.pid, "SIGKILL");
}, ${LOOK_EVERY_MS});
`;

/** Ends the calling process if it uses more than this memory, in MiB; without a number it is not watched. */
export const watchMemory = (memoryMaxMb: number | undefined): void => {
  if (memoryMaxMb === undefined) return;
  const bytesMax = memoryMaxMb * 1024 * 1024;
  new Worker(WATCH, { eval: true, workerData: { bytesMax }, resourceLimits: { maxOldGenerationSizeMb: 16 } }).unref();
};
