import { GallerySchema } from "@hourglass/proto/media/v1/gallery";
import { FileSchema } from "@hourglass/proto/media/v1/media_service";
import {
  type Collection,
  blobFolderOf,
  type CollectionDeclaration,
  contractBlobKey,
  declared,
  ofCompany,
  type ServiceData,
  type Store,
} from "@hourglass/runtime";
import { FILES, RELEASES } from "../records/collections.js";

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

const FACES: CollectionDeclaration<FaceRecord> = {
  name: "gallery_faces",
  indexes: [{ fields: ["companyId", "name"] }],
  belongs: [ofCompany("companyId")],
};

const MARKS: CollectionDeclaration<MarkRecord> = {
  name: "gallery_marks",
  indexes: [{ fields: ["companyId", "name"], unique: true }],
  belongs: [ofCompany("companyId")],
};

const VERSIONS: CollectionDeclaration<GalleryVersion> = {
  name: "gallery_versions",
  belongs: [ofCompany("id")],
  blobsOf: ({ id }) => [galleryKeyOf(id)],
};

/** Key of the blob that workers read. */
export function galleryKeyOf(companyId: number): string {
  return contractBlobKey(GallerySchema, companyId);
}

/** Opens the collections, creating what is missing. */
export async function openGalleryCollections(store: Store): Promise<GalleryCollections> {
  return {
    faces: await store.collection(FACES),
    marks: await store.collection(MARKS),
    versions: await store.collection(VERSIONS),
  };
}

/** All that this service keeps. */
export const MEDIA_DATA: ServiceData = {
  collections: [declared(RELEASES), declared(FILES), declared(FACES), declared(MARKS), declared(VERSIONS)],
  blobFolders: [blobFolderOf(FileSchema), blobFolderOf(GallerySchema)],
};
