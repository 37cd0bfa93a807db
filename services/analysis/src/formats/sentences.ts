import { UnacceptableFileError, type MediaFormat } from "./media-facts.js";

/** Formats limits: "100 MiB", "1.5 MiB", "300 bytes". */
export function mebibytes(bytes: number): string {
  const mebi = bytes / 2 ** 20;
  if (mebi < 0.1) return `${bytes} bytes`;
  return `${Number.isInteger(mebi) ? mebi : mebi.toFixed(1)} MiB`;
}

/** "PNG, JPG and MP3". */
export function formatList(formats: readonly MediaFormat[]): string {
  const names = formats.map((format) => format.toUpperCase());
  const last = names.pop() ?? "";
  return names.length === 0 ? last : `${names.join(", ")} and ${last}`;
}

/** The file violates the rules of its format: `what` completes "The PNG file is damaged: …". */
export function damaged(format: MediaFormat, what: string): UnacceptableFileError {
  return new UnacceptableFileError(`The ${format.toUpperCase()} file is damaged: ${what}.`);
}
