import { AppError } from "@hourglass/runtime";

/** Padding is followed by the next part of a text that was encoded in parts. */
const AFTER_PADDING = /(?<==)(?!=)/;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/**
 * The bytes of a body in base64, which may have been encoded in parts that are each padded. Fails with AppError for
 * anything else.
 */
export async function* fromBase64(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest = "";
  for await (const chunk of body) {
    const text =
      rest + Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).toString("latin1").replace(/\s+/g, "");
    const end = text.length - (text.length % 4);
    rest = text.slice(end);
    for (const part of text.slice(0, end).split(AFTER_PADDING)) if (part !== "") yield decode(part);
  }
  if (rest !== "") yield decode(rest);
}

function decode(text: string): Uint8Array {
  // Only the last part of all may lack its padding.
  if (BASE64.test(text) && text.length % 4 !== 1) return Buffer.from(text, "base64");
  throw new AppError("invalid", "This is not base64. Encode it in base64, or send the bytes as they are.");
}
