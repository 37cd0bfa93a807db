import { AppError } from "@hourglass/runtime";

/**
 * The stored form of a person's or company's name: trimmed, with accents normalized. AppError `invalid` if it contains
 * line breaks, tabs or other control characters, which would break lists and logs.
 */
export function storedName(field: string, name: string): string {
  if (/\p{Cc}/u.test(name))
    throw AppError.invalid([{ field, message: "Give a name without line breaks, tabs and other control characters." }]);
  return name.normalize("NFC").trim();
}
