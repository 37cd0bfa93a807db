import { AppError, type Blobs, type Store } from "@hourglass/runtime";
import { openGalleryCollections } from "./gallery-records.js";
import { renderGallery } from "./render-gallery.js";

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
  const collections = await openGalleryCollections(store);
  const { faces, marks } = collections;
  const render = (companyId: number) => renderGallery({ collections, blobs }, companyId);
  return {
    async enrollFace({ companyId, name, descriptor }) {
      const known = { companyId, name: checkedName(name) };
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
      const removed = await faces.delete({ companyId, name: checkedName(name) });
      // Also if there was none: an earlier command may have been interrupted before it rendered.
      await render(companyId);
      if (removed === 0)
        throw new AppError("not-found", `Nobody is enrolled as "${name}". The command face list shows all names.`);
      return removed;
    },
    async addMark({ companyId, name, png }) {
      const known = { companyId, name: checkedName(name) };
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
      const removed = await marks.delete({ companyId, name: checkedName(name) });
      await render(companyId);
      if (removed === 0)
        throw new AppError("not-found", `There is no logo named "${name}". The command logo list shows them all.`);
    },
  };
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
