import { create, toBinary } from "@bufbuild/protobuf";
import { GallerySchema } from "@hourglass/proto/media/v1/gallery";
import {
  AppError,
  type Blobs,
  type Collection,
  type CollectionDeclaration,
  contractBlobKey,
  ofCompany,
  type Store,
} from "@hourglass/runtime";
import { foldName } from "@hourglass/runtime/text";

/** One picture of an enrolled person. */
interface FaceRecord {
  id: number;
  companyId: number;
  name: string;
  descriptor: number[];
}

/** A mark that a company searches for. */
interface MarkRecord {
  id: number;
  companyId: number;
  name: string;
  /** Base64. */
  png: string;
}

/** Number of changes to a company's gallery; `id` is the company's. */
interface GalleryVersion {
  id: number;
  version: number;
}

interface Collections {
  faces: Collection<FaceRecord>;
  marks: Collection<MarkRecord>;
  versions: Collection<GalleryVersion>;
}

export const FACES: CollectionDeclaration<FaceRecord> = {
  name: "gallery_faces",
  indexes: [{ fields: ["companyId", "name"] }],
  belongs: [ofCompany("companyId")],
};

export const MARKS: CollectionDeclaration<MarkRecord> = {
  name: "gallery_marks",
  indexes: [{ fields: ["companyId", "name"], unique: true }],
  belongs: [ofCompany("companyId")],
};

export const GALLERY_VERSIONS: CollectionDeclaration<GalleryVersion> = {
  name: "gallery_versions",
  belongs: [ofCompany("id")],
  blobsOf: ({ id }) => [galleryKeyOf(id)],
};

/** The people and marks that companies add to their analyses. Every change applies to the next file. */
export interface GalleryAdministration {
  /** Adds a picture of a person, described by 128 numbers. */
  enrollFace(face: { companyId: number; name: string; descriptor: readonly number[] }): Promise<void>;
  /** Names in order, each with its number of pictures. */
  listFaces(companyId: number): Promise<{ name: string; pictures: number }[]>;
  /** Removes all pictures of a person and returns their number. AppError `not-found` if there are none. */
  forgetFace(companyId: number, name: string): Promise<number>;
  /** Adds a mark, or replaces the one with this name. */
  addMark(mark: { companyId: number; name: string; png: Uint8Array }): Promise<void>;
  /** Names in order. */
  listMarks(companyId: number): Promise<string[]>;
  /** AppError `not-found` when there is none. */
  removeMark(companyId: number, name: string): Promise<void>;
}

const NAME_CHARACTERS_MAX = 100;
/**
 * Limits per company: every face in a picture is compared with all its faces, every picture is searched for its marks.
 */
const FACES_MAX = 1000;
const MARKS_MAX = 50;

/** Opens the galleries of all companies, creating the collections. */
export async function openGallery({ store, blobs }: { store: Store; blobs: Blobs }): Promise<GalleryAdministration> {
  const collections: Collections = {
    faces: await store.collection(FACES),
    marks: await store.collection(MARKS),
    versions: await store.collection(GALLERY_VERSIONS),
  };
  const { faces, marks } = collections;
  const render = (companyId: number) => renderGallery(collections, blobs, companyId);
  return {
    async enrollFace({ companyId, name, descriptor }) {
      const known = { companyId, name: await nameIn(faces, companyId, name) };
      if ((await faces.count({ companyId })) >= FACES_MAX) throw full("faces", FACES_MAX);
      await faces.insert({ id: await store.nextId("gallery_faces"), ...known, descriptor: [...descriptor] });
      await render(companyId);
    },
    async listFaces(companyId) {
      const pictures = new Map<string, number>();
      for (const { name } of await faces.find({ companyId }, { sort: [["name", 1]] })) {
        pictures.set(name, (pictures.get(name) ?? 0) + 1);
      }
      return [...pictures].map(([name, count]) => ({ name, pictures: count }));
    },
    async forgetFace(companyId, name) {
      const removed = await faces.delete({ companyId, name: await nameIn(faces, companyId, name) });
      // Also if there was none: an earlier command may have been interrupted before it rendered.
      await render(companyId);
      if (removed === 0)
        throw new AppError("not-found", `Nobody is enrolled as "${name}". The command face list shows all names.`);
      return removed;
    },
    async addMark({ companyId, name, png }) {
      const known = { companyId, name: await nameIn(marks, companyId, name) };
      const bytes = Buffer.from(png).toString("base64");
      const replaced = await marks.update(known, { set: { png: bytes } });
      if (replaced === undefined) {
        if ((await marks.count({ companyId })) >= MARKS_MAX) throw full("logos", MARKS_MAX);
        await marks.insert({ id: await store.nextId("gallery_marks"), ...known, png: bytes });
      }
      await render(companyId);
    },
    async listMarks(companyId) {
      return (await marks.find({ companyId }, { sort: [["name", 1]] })).map(({ name }) => name);
    },
    async removeMark(companyId, name) {
      const removed = await marks.delete({ companyId, name: await nameIn(marks, companyId, name) });
      await render(companyId);
      if (removed === 0)
        throw new AppError("not-found", `There is no logo named "${name}". The command logo list shows them all.`);
    },
  };
}

/** The name as it is stored already, in whatever spelling, or as it would be. */
async function nameIn(
  records: { find(filter: { companyId: number }): Promise<{ name: string }[]> },
  companyId: number,
  name: string,
): Promise<string> {
  const checked = checkedName(name);
  const known = await records.find({ companyId });
  return known.find((each) => foldName(each.name) === foldName(checked))?.name ?? checked;
}

/** The name as stored and shown in results: trimmed, and with accents normalized (NFC). */
function checkedName(name: string): string {
  const stored = name.normalize("NFC").trim();
  const isFine = stored !== "" && [...stored].length <= NAME_CHARACTERS_MAX && !/\p{C}/u.test(stored);
  if (isFine) return stored;
  const message = `Give 1 to ${NAME_CHARACTERS_MAX} characters that can be seen.`;
  throw AppError.invalid([{ field: "name", message }]);
}

function full(what: string, max: number): AppError {
  return new AppError("invalid", `A company may have at most ${max} ${what}. Remove some first.`);
}

/**
 * Writes the company's gallery to the blob that workers read. Each of several concurrent changes renders it; if the
 * version has changed in the meantime, the gallery is rendered again, so that the last rendering contains all changes.
 */
async function renderGallery(collections: Collections, blobs: Blobs, companyId: number): Promise<void> {
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

async function bump(versions: Collections["versions"], companyId: number): Promise<number> {
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

/** Key of the blob that workers read. */
function galleryKeyOf(companyId: number): string {
  return contractBlobKey(GallerySchema, companyId);
}
