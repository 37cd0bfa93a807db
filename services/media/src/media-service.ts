import {
  NO_MEASUREMENTS,
  type Blobs,
  type Logger,
  type Measurements,
  type Queue,
  type Route,
  type Stoppable,
  type Store,
} from "@hourglass/runtime";
import { createClaimFiles } from "./claims/claim-files.js";
import { openFiles, openReleases } from "./records/collections.js";
import type { MediaConfig } from "./config.js";
import { createDeleteFile } from "./files/delete-file.js";
import { createDeleteFiles } from "./files/delete-files.js";
import { createGetFile } from "./files/get-file.js";
import { createListFiles } from "./files/list-files.js";
import { createReadFile } from "./files/read-file.js";
import { createReleaseFiles } from "./claims/release-files.js";
import { startReleases } from "./claims/releases.js";
import { mediaRoute } from "./rpc.js";
import { startSweeper } from "./sweeper.js";
import { createUploadFile } from "./upload/upload-file.js";

export interface MediaServiceDeps {
  store: Store;
  queue: Queue;
  blobs: Blobs;
  config: MediaConfig;
  log: Logger;
  metrics?: Measurements;
  /** Milliseconds since the epoch; tests set it. */
  clock?: () => number;
}

/** The parts of the media service. A process starts those it is responsible for; each may run in several at once. */
export interface BuiltMediaService {
  routes: Route[];
  /** Deletes unused files and what crashes left behind; at least one process must run it. */
  startSweeper(): Stoppable;
  /** Frees the files of operations that were never stored; at least one process must run it. */
  startReleases(): Stoppable;
}

const DAY_MS = 24 * 60 * 60_000;

/** Builds the media service on an open store, queue and blob storage, and creates its collection. */
export async function buildMediaService(deps: MediaServiceDeps): Promise<BuiltMediaService> {
  const { store, queue, blobs, config, log, metrics = NO_MEASUREMENTS, clock: now = Date.now } = deps;
  const files = await openFiles(store);
  const releases = await openReleases(store);
  const shared = { files, releases, blobs, now, unusedMs: config.unusedFileDays * DAY_MS };
  const releaseFiles = createReleaseFiles(shared);
  const useCases = {
    uploadFile: createUploadFile({ ...shared, nextId: () => store.nextId("files"), limits: config, metrics }),
    claimFiles: createClaimFiles(shared),
    releaseFiles,
    deleteFiles: createDeleteFiles(shared),
    getFile: createGetFile(shared),
    listFiles: createListFiles(shared),
    deleteFile: createDeleteFile(shared),
    readFile: createReadFile(shared),
  };
  return {
    routes: [mediaRoute(useCases)],
    startSweeper: () => startSweeper({ ...shared, log }),
    startReleases: () => startReleases({ queue, releaseFiles, log, metrics }),
  };
}
