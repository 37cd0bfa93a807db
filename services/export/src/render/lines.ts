import { toPostingJson } from "@hourglass/posting";
import type { Posting } from "@hourglass/proto/insight/v1/posting";
import { BLOCK_BYTES } from "./blocks.js";

/** Escapes of lone surrogates, which JSON.stringify writes and strict readers of JSON refuse. */
const LONE_SURROGATE = /(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g;

/** The posting object of the interface in JSON, and a line feed. Lone surrogates become U+FFFD. */
export function toLine(posting: Posting): string {
  const json = JSON.stringify(toPostingJson(posting));
  return `${json.includes("\\ud") ? json.replace(LONE_SURROGATE, "$1\ufffd") : json}\n`;
}

/** Postings as blocks of JSON lines. */
export async function* toBlocks(batches: AsyncIterable<readonly Posting[]>): AsyncGenerator<Buffer> {
  let text = "";
  for await (const batch of batches) {
    for (const posting of batch) {
      text += toLine(posting);
      if (text.length < BLOCK_BYTES) continue;
      yield Buffer.from(text);
      text = "";
    }
  }
  if (text !== "") yield Buffer.from(text);
}
