/** Converts tokens into text. */
export interface TokenDecoder {
  /** Tokens without text, for example the end of a sentence, are left out. */
  text(tokens: readonly number[]): string;
}

/** Represents a space. */
const BLANK = "\u2581";
const UTF8 = new TextEncoder();

/**
 * Reads the pieces of Moonshine's `tokenizer.bin`: for each token its length, in one byte or, from 128 on, in two (the
 * low seven bits first), then its bytes. Throws a RangeError if the file is truncated.
 */
export function readBinaryTokenizer(file: Uint8Array): TokenDecoder {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < file.length;) {
    let length = file[at++]!;
    if (length >= 128) length = (length & 127) + 128 * (file[at++] ?? 0);
    if (at + length > file.length) throw new RangeError("tokenizer.bin is cut in its last token");
    pieces.push(file.subarray(at, at + length));
    at += length;
  }
  return decoderOf(pieces);
}

/**
 * Reads the vocabulary of a Hugging Face `tokenizer.json` with a BPE model that falls back to bytes. Throws a
 * TypeError.
 */
export function readJsonTokenizer(text: string): TokenDecoder {
  const { model, added_tokens: added = [] } = JSON.parse(text) as {
    model?: { vocab?: Record<string, number> };
    added_tokens?: { id: number; content: string; special?: boolean }[];
  };
  if (typeof model?.vocab !== "object") throw new TypeError("tokenizer.json has no vocabulary");
  const pieces: Uint8Array[] = [];
  for (const [piece, id] of Object.entries(model.vocab)) {
    const byte = /^<0x([0-9A-F]{2})>$/.exec(piece)?.[1];
    pieces[id] = byte === undefined ? UTF8.encode(piece) : Uint8Array.of(Number.parseInt(byte, 16));
  }
  for (const { id, content, special = true } of added) pieces[id] = special ? new Uint8Array(0) : UTF8.encode(content);
  return decoderOf(pieces);
}

function decoderOf(pieces: readonly (Uint8Array | undefined)[]): TokenDecoder {
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

/** Reads Whisper's vocabulary, a list of tokens in which every byte is spelled as a letter, as GPT-2 has them. */
export function readVocabulary(text: string): TokenDecoder {
  const pieces = JSON.parse(text) as string[];
  const bytes = new Map<string, number>();
  let others = 0;
  for (let byte = 0; byte < 256; byte++) {
    const isItself = (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
    bytes.set(String.fromCodePoint(isItself ? byte : 256 + others++), byte);
  }
  return {
    text(tokens) {
      const spoken = tokens.flatMap((token) => [...(pieces[token] ?? "")].flatMap((letter) => bytes.get(letter) ?? []));
      return new TextDecoder().decode(Uint8Array.from(spoken)).replace(/\s+/g, " ").trim();
    },
  };
}
