/** The kinds of files that can be analysed; GIF only by URL. */
export type MediaFormat = "png" | "jpg" | "gif" | "mp4" | "mp3";

/** What the headers of a file say, checked against each other and against its length. */
export interface MediaFacts {
  format: MediaFormat;
  sizeBytes: number;
  /** Pixels as stored, before any rotation; absent without pictures. */
  width?: number;
  height?: number;
  /** Clockwise degrees by which players turn a video's pictures: 90, 180 or 270; absent when they do not. */
  rotation?: number;
  /** Milliseconds; absent for stills, 0 for a GIF without animation. */
  durationMs?: number;
  /** Whether it has a track of sound. Always true for MP3. */
  hasSound: boolean;
  /** Whether it has pictures: stills, animation or a video track. */
  hasPictures: boolean;
}

/** What a parser finds in the bytes; how many there are is counted elsewhere. */
export type ContentFacts = Omit<MediaFacts, "sizeBytes">;

/** The file is not one of those, is damaged, or is too large in some way; `message` is a sentence for its owner. */
export class UnacceptableFileError extends Error {
  override readonly name = "UnacceptableFileError";
}
