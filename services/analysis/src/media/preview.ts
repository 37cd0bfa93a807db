import type { FfmpegSettings } from "./ffmpeg.js";
import { decodeImage } from "./image.js";
import type { MediaFacts } from "./probe/facts.js";
import { firstPicture } from "./video.js";

const QUALITY = 80;

/**
 * A WebP of a picture, or of the first one of a film, as shown and at most this many pixels wide; a smaller one keeps its
 * size. Throws UnreadableFileError if it cannot be decoded.
 */
export async function renderPreview(
  file: string,
  facts: MediaFacts,
  { width, settings }: { width: number; settings: FfmpegSettings },
): Promise<Uint8Array> {
  const isFilm = facts.format === "mp4";
  const frame = isFilm ? await firstPicture(file, facts, { settings }) : await decodeImage(file, facts);
  const { default: sharp } = await import("sharp");
  return sharp(frame.rgb, { raw: { width: frame.width, height: frame.height, channels: 3 } })
    .resize({ width, withoutEnlargement: true })
    .webp({ quality: QUALITY })
    .toBuffer();
}
