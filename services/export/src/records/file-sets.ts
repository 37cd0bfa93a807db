import { type Blobs, failpoint, insertStep, type Store } from "@hourglass/runtime";
import { RENDERED_FORMATS, type RenderedFormat, type Sinks } from "../render/index.js";
import { blobKeyOf } from "./blob-key.js";
import type { Collections } from "./collections.js";
import type { ExportRecord, FileSet } from "./export.js";

export interface FileSetDeps {
  store: Pick<Store, "commit">;
  collections: Pick<Collections, "fileSets">;
  blobs: Blobs;
  now: () => number;
}

/** A set whose files are being written. */
export type BegunFileSet = FileSet & { dueAt: number };

/** Interval of the checks whether a set that is being written is still wanted, in milliseconds. */
export const CHECK_SET_MS = 10 * 60_000;

/** Names a set of files before they are written, and returns where they go. */
export async function beginFileSet(
  { store, collections, blobs, now }: FileSetDeps,
  { id, exportId, companyId }: Pick<FileSet, "id" | "exportId"> & Pick<ExportRecord, "companyId">,
): Promise<{ fileSet: BegunFileSet; sinks: Sinks }> {
  const fileSet = { id, exportId, companyId, dueAt: now() + CHECK_SET_MS };
  await store.commit([insertStep<FileSet>(collections.fileSets, fileSet)]);
  failpoint("export.after_file_set");
  const sinkOf = (format: RenderedFormat) => (bytes: AsyncIterable<Uint8Array>) =>
    blobs.put(blobKeyOf(id, format), bytes);
  return { fileSet, sinks: { ndjson: sinkOf("ndjson"), csv: sinkOf("csv"), parquet: sinkOf("parquet") } };
}

/**
 * Passes on the bytes from which the files of a set are rendered, and meanwhile moves its check ahead, so that the sweeper does
 * not take it for abandoned, however long the rendering takes. Throws if the sweeper already has.
 */
export async function* keepingFileSet(
  { collections, now }: Pick<FileSetDeps, "collections" | "now">,
  fileSet: BegunFileSet,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    if (fileSet.dueAt - now() < CHECK_SET_MS / 2) {
      const dueAt = now() + CHECK_SET_MS;
      const { id } = fileSet;
      const kept = await collections.fileSets.update({ id, dueAt: fileSet.dueAt }, { set: { dueAt } });
      if (kept === undefined) throw new Error("The sweeper has taken files that are being written for abandoned.");
      fileSet.dueAt = dueAt;
    }
    yield chunk;
  }
}

/** Removes the files of a set that no export has, and then its name. */
export async function removeFileSet(
  { collections, blobs }: Pick<FileSetDeps, "collections" | "blobs">,
  id: string,
): Promise<void> {
  for (const format of RENDERED_FORMATS) await blobs.delete(blobKeyOf(id, format));
  failpoint("export.after_files_removed");
  await collections.fileSets.delete({ id });
}
