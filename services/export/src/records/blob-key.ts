import type { RenderedFormat } from "../render/index.js";

export const BLOB_FOLDER = "exports";

/** The blob of one file of a set; without a folder of its own, which nobody would remove. */
export function blobKeyOf(fileSet: string, format: RenderedFormat): string {
  return `${BLOB_FOLDER}/${fileSet}-${format}`;
}
