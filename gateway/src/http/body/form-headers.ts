/**
 * The Content-Type of a form as its parser reads it. Without quotes a boundary may only have characters of tokens; phones and
 * old libraries send others as well, and then it ends at the next semicolon. Undefined without a boundary.
 */
export function formTypeOf(contentType: string | undefined): string | undefined {
  const [, quoted, plain] = /;\s*boundary\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/i.exec(contentType ?? "") ?? [];
  const boundary = quoted?.replace(/\\(.)/g, "$1") ?? plain?.trim() ?? "";
  return boundary === "" ? undefined : `multipart/form-data; boundary="${boundary.replace(/["\\]/g, "\\$&")}"`;
}

/** A name in a header as people read it: browsers send it in UTF-8, others in the charset of Windows or as in mail. */
export function readableName(raw: string): string {
  if (raw.includes("=?")) return raw.replace(ENCODED_WORD, decodeWord);
  return decoded(Buffer.from(raw, "latin1"), "utf-8");
}

/** The name of a file without the folders that some clients send with it. */
export function baseNameOf(raw: string): string {
  const name = readableName(raw);
  return name.slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf("\\")) + 1);
}

/** RFC 2047. */
const ENCODED_WORD = /=\?([^?]+)\?([bq])\?([^?]*)\?=/gi;

function decodeWord(_word: string, charset: string, encoding: string, text: string): string {
  if (encoding.toLowerCase() === "b") return decoded(Buffer.from(text, "base64"), charset);
  const bytes = text
    .replaceAll("_", " ")
    .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return decoded(Buffer.from(bytes, "latin1"), charset);
}

/** Text in a charset; in the one of Windows, where all bytes have a meaning, if it is not valid or not known. */
function decoded(bytes: Uint8Array, charset: string): string {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
