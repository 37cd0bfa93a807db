import path from "node:path";
import {
  AppError,
  openEmbeddedQueue,
  openEmbeddedStore,
  openFileBlobs,
  type Blobs,
  type Config,
  type Lifecycle,
  type Logger,
  type Queue,
  type Store,
} from "@hourglass/runtime";

/** What holds the state of all services. */
export interface Storage {
  store: Store;
  queue: Queue;
  blobs: Blobs;
}

/** Opens store, queue and files as configured. Fails with one line that says what to change. */
export async function openStorage(config: Config, log: Logger, lifecycle: Lifecycle): Promise<Storage> {
  refuseUnavailable(config);
  const store = await openEmbeddedStore({ dataDir: config.dataDir, log });
  lifecycle.add("store", () => store.close());
  const queue = await openEmbeddedQueue({ database: store.database, log, leaseMs: config.operation.leaseMs });
  lifecycle.add("queue", () => queue.close());
  const blobs = await openFileBlobs({ folder: path.join(config.dataDir, "files") });
  return { store, queue, blobs };
}

/** Serving from the embedded store what somebody wants in a database of theirs would look like lost data. */
function refuseUnavailable({ mongodbUrl, amqpUrl }: Config): void {
  const set = [...(mongodbUrl === undefined ? [] : ["MONGODB_URL"]), ...(amqpUrl === undefined ? [] : ["AMQP_URL"])];
  if (set.length === 0) return;
  const names = set.join(" and ");
  throw new AppError("unimplemented", `This version has the embedded store and queue only: unset ${names}.`);
}
