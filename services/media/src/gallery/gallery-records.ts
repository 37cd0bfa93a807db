import type { Collection, Store } from "@hourglass/runtime";

/** One picture of an enrolled person. */
export interface FaceRecord {
  id: number;
  companyId: number;
  name: string;
  descriptor: number[];
}

/** A mark that a company searches for. */
export interface MarkRecord {
  id: number;
  companyId: number;
  name: string;
  /** Base64. */
  png: string;
}

/** Number of changes to a company's gallery; `id` is the company's. */
export interface GalleryVersion {
  id: number;
  version: number;
}

export interface GalleryCollections {
  faces: Collection<FaceRecord>;
  marks: Collection<MarkRecord>;
  versions: Collection<GalleryVersion>;
}

/** Opens the collections, creating what is missing. */
export async function openGalleryCollections(store: Store): Promise<GalleryCollections> {
  const ofCompany = { fields: ["companyId", "name"] } as const;
  return {
    faces: await store.collection<FaceRecord>({ name: "gallery_faces", indexes: [ofCompany] }),
    marks: await store.collection<MarkRecord>({ name: "gallery_marks", indexes: [{ ...ofCompany, unique: true }] }),
    versions: await store.collection<GalleryVersion>({ name: "gallery_versions" }),
  };
}
