import { startStorageGauges, type StorageGaugesDeps } from "../storage/storage-gauges.js";
import type { Foundation } from "./run-process.js";

/** What is measured, and where it is reported. */
export type Measured = Pick<StorageGaugesDeps, "contents" | "blobs" | "data" | "whole" | "metrics">;

/** Reports what the storage of a process takes, until the process stops; of an embedded store also what its disk has free. */
export function measureStorage({ config, log, lifecycle }: Foundation, measured: Measured): void {
  const where = config.mongodbUrl === undefined ? { dataDir: config.dataDir } : {};
  const gauges = startStorageGauges({ ...measured, ...where, log });
  lifecycle.addWork("storage gauges", (graceMs) => gauges.stop(graceMs));
}
