/** Bytes at the start of a document in which its own statement of the encoding is looked for. */
const DECLARATION_BYTES_MAX = 1024;

const DECLARED_IN_XML = /^\s*<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]{1,40})["']/;
const DECLARED_IN_TYPE = /;\s*charset\s*=\s*["']?([\w.:-]{1,40})/i;
const UTF_8 = /^utf-?8$/i;

/**
 * Text of a feed document. The byte order mark decides; then the charset of the Content-Type header and the XML
 * declaration; otherwise it is UTF-8, or windows-1252 if the bytes are not valid UTF-8.
 */
export function decodeDocument(bytes: Uint8Array, contentType: string | undefined): string {
  const utf16 = utf16Of(bytes);
  if (utf16 !== undefined) return decode(bytes, utf16) ?? "";
  const declared = [DECLARED_IN_TYPE.exec(contentType ?? "")?.[1], declarationOf(bytes)];
  const labels = declared.filter((label) => label !== undefined);
  // Text in another encoding is almost never valid UTF-8, so where either statement says UTF-8, that is tried first.
  const first = hasUtf8Mark(bytes) || labels.some((label) => UTF_8.test(label)) ? ["utf-8"] : [];
  for (const label of [...first, ...labels, "utf-8"]) {
    const text = decode(bytes, label);
    if (text !== undefined) return text;
  }
  return decode(bytes, "windows-1252") ?? "";
}

function hasUtf8Mark([first, second, third]: Uint8Array): boolean {
  return first === 0xef && second === 0xbb && third === 0xbf;
}

/** UTF-16 is recognised by its byte order mark, or by the zero in its first character, which is `<` or `{`. */
function utf16Of([first, second]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  if ((first === 0x3c || first === 0x7b) && second === 0) return "utf-16le";
  if (first === 0 && (second === 0x3c || second === 0x7b)) return "utf-16be";
  return undefined;
}

function declarationOf(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder("windows-1252").decode(bytes.subarray(0, DECLARATION_BYTES_MAX));
  // The windows-1252 reading of the byte order mark of UTF-8.
  return DECLARED_IN_XML.exec(head.replace(/^ï»¿/, ""))?.[1];
}

/** Undefined if the encoding is unknown or the bytes are not valid in it. */
function decode(bytes: Uint8Array, label: string): string | undefined {
  // A document that was readable so far in single bytes cannot be in UTF-16, whatever it says.
  if (/^utf-?16/i.test(label) && utf16Of(bytes) === undefined) return undefined;
  try {
    const decoder = new TextDecoder(label, { fatal: !label.startsWith("utf-16") });
    const text = decoder.decode(bytes);
    return decoder.encoding === "windows-1252" ? withoutControls(text) : text;
  } catch {
    return undefined;
  }
}

/** Characters of windows-1252 from 0x80 on; a blank stands for a byte without one. */
const WINDOWS_1252_HIGH = "€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ";

/** Node decodes windows-1252 as ISO 8859-1, which has control characters where windows-1252 has quotation marks. */
function withoutControls(text: string): string {
  return text.replaceAll(/[\x80-\x9f]/g, (control) => WINDOWS_1252_HIGH[control.charCodeAt(0) - 0x80] ?? "");
}
