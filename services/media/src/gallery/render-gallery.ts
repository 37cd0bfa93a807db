import { create, toBinary } from "@bufbuild/protobuf";
import { GallerySchema } from "@hourglass/proto/media/v1/gallery";
import { AppError, type Blobs } from "@hourglass/runtime";
import { type GalleryCollections, galleryKeyOf } from "./gallery-records.js";

export interface RenderDeps {
  collections: GalleryCollections;
  blobs: Blobs;
}

/**
 * Writes the company's gallery to the blob that workers read. Each of several concurrent changes renders it; if the
 * version has changed in the meantime, the gallery is rendered again, so that the last rendering contains all changes.
 */
export async function renderGallery({ collections, blobs }: RenderDeps, companyId: number): Promise<void> {
  const { faces, marks, versions } = collections;
  const key = galleryKeyOf(companyId);
  for (let version = await bump(versions, companyId); ;) {
    const gallery = create(GallerySchema, {
      faces: (await faces.find({ companyId })).map(({ name, descriptor }) => ({ name, descriptor })),
      marks: (await marks.find({ companyId })).map(({ name, png }) => ({ name, png: Buffer.from(png, "base64") })),
    });
    if (gallery.faces.length + gallery.marks.length === 0) await blobs.delete(key);
    else await blobs.put(key, once(toBinary(GallerySchema, gallery)));
    const now = (await versions.get(companyId))?.version ?? version;
    if (now === version) return;
    version = now;
  }
}

async function bump(versions: GalleryCollections["versions"], companyId: number): Promise<number> {
  for (;;) {
    const bumped = await versions.update({ id: companyId }, { increment: { version: 1 } });
    if (bumped !== undefined) return bumped.version;
    try {
      await versions.insert({ id: companyId, version: 0 });
    } catch (error) {
      if (!(error instanceof AppError) || error.kind !== "conflict") throw error; // another process has just created it
    }
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
