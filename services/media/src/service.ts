import { GallerySchema } from "@hourglass/proto/media/v1/gallery";
import { FilePreviewSchema, FileSchema } from "@hourglass/proto/media/v1/media_service";
import {
  blobFolderOf,
  type Blobs,
  declared,
  dueFailpoints,
  type Logger,
  type Measurements,
  NO_MEASUREMENTS,
  type Queue,
  type Route,
  type ServiceData,
  type Stoppable,
  type Store,
} from "@hourglass/runtime";
import { FileClaims } from "./claims.js";
import type { FilesConfig } from "./config.js";
import { type ContentDeps, FileContents } from "./content.js";
import { FACES, GALLERY_VERSIONS, MARKS } from "./gallery.js";
import { mediaRoute } from "./rpc.js";
import { CHORES, FileRepository, FILES, LINK_ANSWERS, LINK_KEYS, RELEASES } from "./store.js";
import { createSweeps, FILE_KIND } from "./sweep.js";
import { FileUploads } from "./upload.js";

export interface MediaServiceDeps {
  store: Store;
  queue: Queue;
  blobs: Blobs;
  config: FilesConfig;
  /** Without it there are no small pictures of files. */
  previews?: ContentDeps["previews"];
  log: Logger;
  metrics?: Measurements;
  /** Milliseconds since the epoch; tests set it. */
  clock?: () => number;
  /** Interval between looks for what is due, in milliseconds; tests shorten it. */
  checkMs?: number;
}

/** The parts of the media service. A process starts those it is responsible for; each may run in several at once. */
export interface BuiltMediaService {
  routes: Route[];
  /** Publishes what is due, and deletes unused files and what crashes left behind; at least one process must run it. */
  startSweeper(): Stoppable;
}

/** Every step of a file's life at which a crash must neither lose it nor let it be used twice. */
export const MEDIA_FAILPOINTS = ["media.after_blob", "media.mid_claim", "media.mid_delete"] as const;

/** Every step of its sweeps at which a crash must neither leave anything behind nor remove a file that is used. */
export const MEDIA_SWEEP_FAILPOINTS: readonly string[] = [...dueFailpoints(FILE_KIND), "media.mid_release"];

/** All that this service keeps. */
export const MEDIA_DATA: ServiceData = {
  collections: [
    declared(RELEASES),
    declared(CHORES),
    declared(LINK_KEYS),
    declared(LINK_ANSWERS),
    declared(FILES),
    declared(FACES),
    declared(MARKS),
    declared(GALLERY_VERSIONS),
  ],
  blobFolders: [blobFolderOf(FileSchema), blobFolderOf(FilePreviewSchema), blobFolderOf(GallerySchema)],
};

const DAY_MS = 24 * 60 * 60_000;

/** Builds the media service on an open store, queue and blob storage, and creates its collections. */
export async function buildMediaService(deps: MediaServiceDeps): Promise<BuiltMediaService> {
  const { store, queue, blobs, config, log, metrics = NO_MEASUREMENTS, clock: now = Date.now, checkMs } = deps;
  const repository = await FileRepository.open({ store, blobs, now, unusedMs: config.unusedFileDays * DAY_MS });
  const shared = { repository, log, metrics, now };
  const uploads = new FileUploads({ ...shared, config });
  const claims = new FileClaims({ repository, now });
  const contents = new FileContents({ repository, previews: deps.previews, now });
  const sweeps = createSweeps({ ...shared, queue, checkMs });
  return {
    routes: [mediaRoute({ repository, uploads, claims, contents })],
    startSweeper: () => sweeps.start(),
  };
}
