import {
  administerPlatforms,
  openImports,
  type ImportAdministration,
  type PlatformAdministration,
} from "@hourglass/insight";
import { type GalleryAdministration, openGallery as openGalleryOn } from "@hourglass/media";
import { openStorage } from "@hourglass/runtime";
import type { Opening } from "./opening.js";

/** Opens the faces and logos that companies have added. */
export async function openGallery({ config, log, lifecycle }: Opening): Promise<GalleryAdministration> {
  return openGalleryOn(await openStorage({ config, log, lifecycle, parts: ["store", "blobs"] }));
}

/** Opens the imports of postings. */
export async function openPostings({ config, log, lifecycle }: Opening): Promise<ImportAdministration> {
  return openImports(await openStorage({ config, log, lifecycle, parts: ["store"] }));
}

/** Opens the connections to platforms. */
export async function openPlatforms({ config, log, lifecycle }: Opening): Promise<PlatformAdministration> {
  const { store } = await openStorage({ config, log, lifecycle, parts: ["store"] });
  return administerPlatforms({ store, config });
}
