import { latin, uint16le } from "./bytes.js";
import type { MediaFormat } from "./facts.js";

/** Bytes at the beginning of a file that tell its kind; `file-type` wants that many. */
export const KIND_BYTES = 4100;

/** Kinds by the names that `file-type` gives them. */
const FORMATS: Partial<Record<string, MediaFormat>> = {
  png: "png",
  apng: "png",
  jpg: "jpg",
  gif: "gif",
  mp3: "mp3",
  ...Object.fromEntries(
    ["mp4", "m4a", "m4b", "m4p", "m4v", "f4a", "f4b", "f4p", "f4v", "3gp", "3g2"].map((name) => [name, "mp4"]),
  ),
};

/** Number of MPEG layer III in the header of a RIFF file. */
const RIFF_MP3 = 0x55;
/** What an MP4 may have before it says that it is one. */
const BEFORE_BRANDS = new Set(["free", "skip", "uuid", "wide"]);

/** The format, or the name of another kind of file; undefined if the beginning tells nothing. */
export type Kind = { format: MediaFormat } | { other: string } | undefined;

/** Tells the kind of a file by its first KIND_BYTES bytes, or by the whole file if it is shorter. */
export async function kindOf(head: Uint8Array): Promise<Kind> {
  if (BEFORE_BRANDS.has(latin(head, 4, 8))) return { format: "mp4" };
  const { fileTypeFromBuffer } = await import("file-type");
  const name = (await fileTypeFromBuffer(head))?.ext;
  // A tag may be followed by stray bytes, or be longer than what is seen of the file.
  if (name === undefined) return latin(head, 0, 3) === "ID3" ? { format: "mp3" } : undefined;
  if (name === "wav" && latin(head, 12, 16) === "fmt " && uint16le(head, 20) === RIFF_MP3) return { format: "mp3" };
  const format = FORMATS[name];
  return format === undefined ? { other: name.toUpperCase() } : { format };
}
