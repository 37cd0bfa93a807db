import { AppError } from "@hourglass/runtime";

/**
 * A name of a person or company as it is stored: trimmed, and alike however accents were typed. AppError `invalid` when
 * it holds line breaks, tabs or other control characters, which would break lists and logs.
 */
export function storedName(field: string, name: string): string {
  if (/\p{Cc}/u.test(name))
    throw AppError.invalid([{ field, message: "Give a name without line breaks, tabs and other control characters." }]);
  return name.normalize("NFC").trim();
}
