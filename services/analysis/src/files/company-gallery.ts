import { fromBinary } from "@bufbuild/protobuf";
import { GallerySchema } from "@hourglass/proto/media/v1/gallery";
import { AppError, type Blobs, contractBlobKey } from "@hourglass/runtime";
import type { Gallery } from "../visual.js";

/** How long a gallery is cached, in milliseconds; changes take effect after it. */
const FRESH_MS = 10_000;

/** Reads what a company has taught its own analyses, as stored by the media service. */
export type ReadGallery = (companyId: number) => Promise<Gallery>;

/** Reads galleries, each at most once every ten seconds. Without `names`, faces are not identified. */
export function createGalleryReader(blobs: Blobs, { names }: { names: boolean }): ReadGallery {
  const known = new Map<number, { readAt: number; gallery: Promise<Gallery> }>();
  return (companyId) => {
    const now = performance.now();
    for (const [id, { readAt }] of known) if (now - readAt > FRESH_MS) known.delete(id);
    const fresh = known.get(companyId);
    if (fresh !== undefined) return fresh.gallery;
    const gallery = readGallery(blobs, companyId, names);
    known.set(companyId, { readAt: now, gallery });
    gallery.catch(() => known.delete(companyId));
    return gallery;
  };
}

async function readGallery(blobs: Blobs, companyId: number, names: boolean): Promise<Gallery> {
  try {
    const parts: Uint8Array[] = [];
    for await (const part of blobs.get(contractBlobKey(GallerySchema, companyId))) parts.push(part);
    const { faces, marks } = fromBinary(GallerySchema, Buffer.concat(parts));
    return {
      faces: names ? faces.map(({ name, descriptor }) => ({ name, descriptor })) : [],
      marks: marks.map(({ name, png }) => ({ name, png })),
    };
  } catch (error) {
    if (error instanceof AppError && error.kind === "not-found") return { faces: [], marks: [] };
    throw error;
  }
}
