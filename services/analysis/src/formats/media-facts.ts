/** The formats that can be analysed; GIF only by URL. */
export type MediaFormat = "png" | "jpg" | "gif" | "mp4" | "mp3";

/** Facts from the headers of a file, checked against each other and against its length. */
export interface MediaFacts {
  format: MediaFormat;
  sizeBytes: number;
  /** As viewers and players show it, turned and with square pixels; absent without pictures. */
  width?: number;
  height?: number;
  /** Milliseconds; absent for stills, 0 for a GIF without animation. */
  durationMs?: number;
  /** Whether it has an audio track. Always true for MP3. */
  hasSound: boolean;
  /** Whether it has pictures: stills, animation or a video track. */
  hasPictures: boolean;
}

/** The facts that a parser extracts; the size is counted elsewhere. */
export type ContentFacts = Omit<MediaFacts, "sizeBytes">;

/** The file has another format, is damaged, or exceeds a limit; `message` is a sentence for its owner. */
export class UnacceptableFileError extends Error {
  override readonly name = "UnacceptableFileError";
}
