/** The formats that can be analyzed; GIF only by URL. */
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

/** Limits of a file. */
export interface InspectionLimits {
  /** Pixels of a picture, of a frame of a video, or of the canvas of an animation. */
  imagePixelsMax: number;
  /** Milliseconds of sound, video or animation. */
  durationMsMax: number;
  /** The accepted formats; those of uploads by default. */
  formats?: readonly MediaFormat[];
}

/** Formats accepted as uploads. */
export const UPLOAD_FORMATS: readonly MediaFormat[] = ["png", "jpg", "mp3", "mp4"];
/** Formats accepted by URL. */
export const URL_FORMATS: readonly MediaFormat[] = ["png", "jpg", "gif", "mp3", "mp4"];

/** All frames of a GIF together may have this many times the pixels of a picture. */
const ANIMATION_PIXELS_FACTOR = 25;

/** "64.2 megapixels", or the number of pixels if it is small. */
function megapixels(pixels: number): string {
  return pixels < 100_000 ? `${pixels} pixels` : `${Number((pixels / 1e6).toFixed(1))} megapixels`;
}

/** "15 minutes", "90 seconds". */
function minutes(durationMs: number): string {
  const seconds = durationMs / 1000;
  if (seconds < 120) return `${Number(seconds.toFixed(1))} seconds`;
  return `${Number((seconds / 60).toFixed(1))} minutes`;
}

/** `what`: "picture", "video". */
export function checkPixels(what: string, size: { width: number; height: number }, limits: InspectionLimits): void {
  const { width, height } = size;
  if (width === 0 || height === 0) {
    throw new UnacceptableFileError(`The ${what} says that it is ${width} × ${height} pixels large; it has no pixels.`);
  }
  if (width * height <= limits.imagePixelsMax) return;
  const allowed = megapixels(limits.imagePixelsMax);
  throw new UnacceptableFileError(
    `The ${what} has ${megapixels(width * height)} (${width} × ${height}); at most ${allowed} are allowed. Make it smaller.`,
  );
}

/** The pixels of all frames of an animation together. */
export function checkAnimationPixels(pixels: number, limits: InspectionLimits): void {
  const max = ANIMATION_PIXELS_FACTOR * limits.imagePixelsMax;
  if (pixels <= max) return;
  throw new UnacceptableFileError(
    `The frames of the animation have more than ${megapixels(max)} together, which is the most allowed. Make it smaller.`,
  );
}

/** `what`: "video", "sound", "animation". */
export function checkDuration(what: string, durationMs: number, limits: InspectionLimits): void {
  if (durationMs <= limits.durationMsMax) return;
  throw new UnacceptableFileError(
    `The ${what} lasts longer than ${minutes(limits.durationMsMax)}, which is the most allowed. Send a part of it.`,
  );
}

/** The file is of another kind; `kind` names it ("PDF") if it is known. */
export function otherKind(kind: string | undefined, limits: InspectionLimits): UnacceptableFileError {
  const accepted = formatList(limits.formats ?? UPLOAD_FORMATS);
  return new UnacceptableFileError(
    kind === undefined
      ? `The file is not one of the accepted kinds: ${accepted}.`
      : `The file is of the kind ${kind}; accepted are ${accepted}.`,
  );
}

/**
 * The file cannot be decoded, or needs too much processor time or memory; `message` is a sentence for the file's owner.
 */
export class UnreadableFileError extends Error {
  override readonly name = "UnreadableFileError";
}

/**
 * The file was not finished in time although it got little processor time: the machine is busy, and a retry may
 * succeed.
 */
export class LateFileError extends Error {
  override readonly name = "LateFileError";
}

/** "PNG, JPG and MP3". */
function formatList(formats: readonly MediaFormat[]): string {
  const names = formats.map((format) => format.toUpperCase());
  const last = names.pop() ?? "";
  return names.length === 0 ? last : `${names.join(", ")} and ${last}`;
}

/** The file violates the rules of its format: `what` completes "The PNG file is damaged: …". */
export function damaged(format: MediaFormat, what: string): UnacceptableFileError {
  return new UnacceptableFileError(`The ${format.toUpperCase()} file is damaged: ${what}.`);
}
