import { analyse } from "chardet";

/** Bytes at the start of a document in which its own statement of the encoding is looked for. */
const DECLARATION_BYTES_MAX = 1024;

const DECLARED_IN_XML = /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]{1,40})["']/;
const DECLARED_IN_TYPE = /;\s*charset\s*=\s*["']?([\w.:-]{1,40})/i;
const UNICODE = /^(?:x-)?(?:unicode.*)?utf-?(?:8|16|32)/i;
/** What servers state of everything that they send. */
const BY_DEFAULT = /^(?:iso-?8859-?1|latin-?1|us-ascii|ascii|windows-1252|cp-?1252)$/i;
/** Encodings of seven bits, whose texts are valid UTF-8. */
const SEVEN_BITS = /^(?:iso-2022-|csiso2022)/i;
const REPLACEMENT = "\ufffd";
/** Share of the characters of a text in its own encoding that may be damaged. */
const DAMAGE_MAX = 0.1;

/**
 * Text of a feed document. A byte order mark decides, and so do bytes that are UTF-8 apart from some that are damaged,
 * whatever is stated: text in another encoding is almost never valid UTF-8. Otherwise it is what the XML declaration or
 * the Content-Type header states, if that fits, else what the bytes look like, else windows-1252. A damaged byte becomes
 * U+FFFD.
 */
export function decodeDocument(bytes: Uint8Array, contentType: string | undefined): string {
  const utf16 = utf16Of(bytes);
  if (utf16 !== undefined) return new TextDecoder(utf16).decode(bytes);
  const labels = labelsOf(bytes, contentType);
  const utf8 = new TextDecoder().decode(bytes);
  const sevenBits = labels.find((label) => SEVEN_BITS.test(label));
  if (isUtf8(utf8) && sevenBits === undefined) return utf8;
  return decodeAsStated(bytes, labels) ?? decodeAsItLooks(bytes) ?? decode(bytes, "windows-1252") ?? utf8;
}

/** UTF-16 is recognized by its byte order mark, or by the zero in its first character, which is one of ASCII. */
function utf16Of([first, second]: Uint8Array): string | undefined {
  if (first === undefined || second === undefined) return undefined;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  if (first !== 0 && first < 0x80 && second === 0) return "utf-16le";
  if (first === 0 && second !== 0 && second < 0x80) return "utf-16be";
  return undefined;
}

/** Whether a text decoded as UTF-8 was: more of its characters beyond ASCII are whole than damaged. */
function isUtf8(text: string): boolean {
  if (!text.includes(REPLACEMENT)) return true;
  const damaged = count(text, /\ufffd/g);
  return count(text, /[^\0-\x7f\ufffd]/gu) > damaged;
}

/**
 * Encodings that the document and the server state, the more credible first. That the document is in Unicode is known
 * not to be so, and Latin-1 is what servers state of everything.
 */
function labelsOf(bytes: Uint8Array, contentType: string | undefined): string[] {
  const head = new TextDecoder("windows-1252").decode(bytes.subarray(0, DECLARATION_BYTES_MAX));
  const [inType, inXml] = [DECLARED_IN_TYPE.exec(contentType ?? "")?.[1], DECLARED_IN_XML.exec(head)?.[1]];
  const labels = [inType, inXml].filter((label) => label !== undefined).filter((label) => !UNICODE.test(label));
  return labels.sort((a, b) => Number(BY_DEFAULT.test(a)) - Number(BY_DEFAULT.test(b)));
}

function decodeAsStated(bytes: Uint8Array, labels: readonly string[]): string | undefined {
  for (const label of labels) {
    if (BY_DEFAULT.test(label) && isWrittenInHighBytes(bytes)) continue;
    const text = decode(bytes, label);
    if (text !== undefined) return text;
  }
  return undefined;
}

function decodeAsItLooks(bytes: Uint8Array): string | undefined {
  const words = wordsBeyondAscii(bytes);
  if (words.length < WORD_BYTES_MIN) return undefined;
  const [best] = analyse(words);
  return best === undefined || BY_DEFAULT.test(best.name) ? undefined : decode(bytes, best.name);
}

/** Undefined if the encoding is unknown, or much of the text does not fit. */
function decode(bytes: Uint8Array, label: string): string | undefined {
  try {
    const decoder = new TextDecoder(label);
    const text = decoder.decode(bytes);
    const isDamaged = text.includes(REPLACEMENT) && count(text, /\ufffd/g) > DAMAGE_MAX * count(text, /[^\0-\x7f]/gu);
    if (isDamaged) return undefined;
    return decoder.encoding === "windows-1252" ? withoutControls(text) : text;
  } catch {
    return undefined;
  }
}

/** Bytes in which it is looked how a text is encoded, from its first one beyond ASCII on. */
const SAMPLE_BYTES = 65_536;
/** Fewer tell nothing. */
const WORD_BYTES_MIN = 8;

/** Words of the text that are not of ASCII, as Latin letters around them would hide what they are. */
function wordsBeyondAscii(bytes: Uint8Array): Uint8Array {
  const start = bytes.findIndex((byte) => byte >= 0x80);
  if (start === -1) return new Uint8Array();
  const sample = Buffer.from(bytes.buffer, bytes.byteOffset + start, Math.min(SAMPLE_BYTES, bytes.length - start));
  const words = sample
    .toString("latin1")
    .split(/[\s<>"=]+/)
    .filter((word) => /[\x80-\xff]/.test(word));
  return Buffer.from(words.join(" "), "latin1");
}

/** Letters beyond ASCII stand side by side in scripts that are not Latin, and mostly alone in those that are. */
function isWrittenInHighBytes(bytes: Uint8Array): boolean {
  const words = Buffer.from(wordsBeyondAscii(bytes)).toString("latin1");
  const high = count(words, /[\x80-\xff]/g);
  return high >= WORD_BYTES_MIN && count(words, /[\x80-\xff](?=[\x80-\xff])/g) > high / 2;
}

function count(text: string, pattern: RegExp): number {
  let found = 0;
  for (const _ of text.matchAll(pattern)) found++;
  return found;
}
/** Characters of windows-1252 from 0x80 on; a blank stands for a byte without one. */
const WINDOWS_1252_HIGH = "€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ";

/** Node decodes windows-1252 as ISO 8859-1, which has control characters where windows-1252 has quotation marks. */
function withoutControls(text: string): string {
  return text.replaceAll(/[\x80-\x9f]/g, (control) => WINDOWS_1252_HIGH[control.charCodeAt(0) - 0x80] ?? "");
}
