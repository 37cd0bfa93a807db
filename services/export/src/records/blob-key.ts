import type { RenderedFormat } from "../render/index.js";

/** The blob of one file of a set; without a folder of its own, which nobody would remove. */
export function blobKeyOf(fileSet: string, format: RenderedFormat): string {
  return `exports/${fileSet}-${format}`;
}
