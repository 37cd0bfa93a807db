import { domainToASCII } from "node:url";
import { AppError } from "@hourglass/runtime";

/** White space, and characters that nobody sees: with them an address would look like another one. */
const UNSEEN = /[\s\p{Cc}\p{Cf}]/u;

/**
 * The form in which an e-mail is stored: without blanks around it, with accents normalized, and with the domain in ASCII,
 * as mail programs send it. AppError `invalid` if no domain has that name.
 */
export function storedEmail(email: string): string {
  const { name, domain } = partsOf(email);
  const ascii = domainToASCII(domain);
  if (name === "" || ascii === "" || UNSEEN.test(name)) {
    throw AppError.invalid([{ field: "email", message: "Give an e-mail address, such as name@example.com." }]);
  }
  return `${name}@${isAscii(domain) ? domain : ascii}`;
}

/** The form in which e-mails are compared: as stored, and without case. A text that is no e-mail equals none. */
export function emailKey(email: string): string {
  const { name, domain } = partsOf(email);
  return `${name}@${isAscii(domain) ? domain : domainToASCII(domain) || domain}`.toLowerCase().normalize("NFC");
}

function partsOf(email: string): { name: string; domain: string } {
  const text = email.trim().normalize("NFC");
  const at = text.lastIndexOf("@");
  return at < 0 ? { name: text, domain: "" } : { name: text.slice(0, at), domain: text.slice(at + 1) };
}

function isAscii(text: string): boolean {
  return !/[^\0-\x7f]/.test(text);
}
