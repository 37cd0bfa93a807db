import { crc32 } from "node:zlib";

/** What every API key begins with, so that scanners for secrets find it. */
const MARK = "hg_";
/** Characters after the mark by which a key is found; they are no secret. */
const NAME_LENGTH = 8;
const SECRET_LENGTH = 26;
const CHECKSUM_LENGTH = 6;
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const SHAPE = /^hg_[0-9A-Za-z]{40}$/;

/** Whether a bearer token claims to be an API key. */
export function looksLikeApiKey(token: string): boolean {
  return token.startsWith(MARK);
}

/** The public first characters of an API key, by which it is found; undefined for a text that nobody has made a key of. */
export function prefixOfApiKey(token: string): string | undefined {
  if (!SHAPE.test(token)) return undefined;
  const body = token.slice(0, -CHECKSUM_LENGTH);
  return token === body + checksumOf(body) ? token.slice(0, MARK.length + NAME_LENGTH) : undefined;
}

/**
 * An API key: `hg_`, 8 public characters, a secret of 26 (154 bits), and a checksum of 6, by which a mistyped one is
 * refused before anything is asked. `pick` returns a random whole number below its argument.
 */
export function makeApiKey(pick: (below: number) => number): { secret: string; prefix: string } {
  let body = MARK;
  for (let index = 0; index < NAME_LENGTH + SECRET_LENGTH; index += 1) body += DIGITS[pick(DIGITS.length)] ?? "";
  return { secret: body + checksumOf(body), prefix: body.slice(0, MARK.length + NAME_LENGTH) };
}

/** The CRC-32 in base 62. */
function checksumOf(body: string): string {
  let left = crc32(body);
  let text = "";
  for (let index = 0; index < CHECKSUM_LENGTH; index += 1) {
    text = (DIGITS[left % DIGITS.length] ?? "") + text;
    left = Math.floor(left / DIGITS.length);
  }
  return text;
}
