/** Converts tokens into text. */
export interface TokenReader {
  /** Tokens without text, for example the end of a sentence, are left out. */
  text(tokens: readonly number[]): string;
}

/** Represents a space. */
const BLANK = "\u2581";
const BYTES = new TextEncoder();

/**
 * Reads the pieces of Moonshine's `tokenizer.bin`: for each token its length, in one byte or, from 128 on, in two (the
 * low seven bits first), then its bytes. Throws a RangeError if the file is truncated.
 */
export function readBinaryTokenizer(file: Uint8Array): TokenReader {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < file.length;) {
    let length = file[at++]!;
    if (length >= 128) length = (length & 127) + 128 * (file[at++] ?? 0);
    if (at + length > file.length) throw new RangeError("tokenizer.bin is cut in its last token");
    pieces.push(file.subarray(at, at + length));
    at += length;
  }
  return readerOf(pieces);
}

/**
 * Reads the vocabulary of a Hugging Face `tokenizer.json` with a BPE model that falls back to bytes. Throws a
 * TypeError.
 */
export function readJsonTokenizer(text: string): TokenReader {
  const { model, added_tokens: added = [] } = JSON.parse(text) as {
    model?: { vocab?: Record<string, number> };
    added_tokens?: { id: number; content: string; special?: boolean }[];
  };
  if (typeof model?.vocab !== "object") throw new TypeError("tokenizer.json has no vocabulary");
  const pieces: Uint8Array[] = [];
  for (const [piece, id] of Object.entries(model.vocab)) {
    const byte = /^<0x([0-9A-F]{2})>$/.exec(piece)?.[1];
    pieces[id] = byte === undefined ? BYTES.encode(piece) : Uint8Array.of(Number.parseInt(byte, 16));
  }
  for (const { id, content, special = true } of added) pieces[id] = special ? new Uint8Array(0) : BYTES.encode(content);
  return readerOf(pieces);
}

function readerOf(pieces: readonly (Uint8Array | undefined)[]): TokenReader {
  const special = /^<(?:unk|s|\/s|<ST_\d+>)>$/;
  const silent = pieces.map((piece) => piece === undefined || special.test(new TextDecoder().decode(piece)));
  return {
    text(tokens) {
      const spoken = tokens.filter((token) => silent[token] === false).map((token) => pieces[token]!);
      // Decoded together, because one letter may be spread over several tokens.
      return new TextDecoder().decode(Buffer.concat(spoken)).replaceAll(BLANK, " ").replace(/\s+/g, " ").trim();
    },
  };
}
