import type { DetectedLanguage, TextDocument } from "../../types.js";
import { createEncoder, type EncodedText, type Encoder, type EncoderOptions } from "./encoder.js";
import { ENCODER_FOLDER, MULTILINGUAL_FOLDER } from "./model-folder.js";

/** Where the encoders of a thread lie. */
export interface EncoderFolders {
  readonly english: URL;
  readonly multilingual: URL;
}

/** The encoders of a thread. The language of a text decides which one reads it. */
export interface Encoders {
  readonly english: Encoder;
  /** Its network and vocabulary are loaded for the first text in another language. */
  readonly multilingual: Encoder;
}

const SHIPPED_ENCODERS: EncoderFolders = { english: ENCODER_FOLDER, multilingual: MULTILINGUAL_FOLDER };

const ENCODING = Symbol("encoding");

/** By folder: tests use models of their own. */
const encoders = new Map<string, Encoder>();

/**
 * The encoders of this thread, read on first use; throws with the reason if a card, or another file of the English one,
 * is missing or damaged.
 */
export const encodersOf = ({ english, multilingual }: EncoderFolders = SHIPPED_ENCODERS): Encoders => ({
  english: encoderOf(english),
  multilingual: encoderOf(multilingual, { deferred: true }),
});

/** The encoder of a folder, created once per thread. */
export const encoderOf = (folder: URL = ENCODER_FOLDER, options: EncoderOptions = {}): Encoder => {
  let encoder = encoders.get(folder.href);
  if (encoder === undefined) {
    encoder = createEncoder(folder, options);
    encoders.set(folder.href, encoder);
  }
  return encoder;
};

/** English, and texts too short to tell, are read by the English encoder. */
const readerOf = ({ code, likeliest = "en" }: DetectedLanguage, { english, multilingual }: Encoders): Encoder =>
  code === "en" || (code === "und" && likeliest === "en") ? english : multilingual;

/**
 * Encodes the documents that are not encoded yet, those of each encoder as one batch, and caches the results in them for
 * every analysis.
 */
export const prepareEncodings = async (documents: readonly TextDocument[], encoders: Encoders): Promise<void> => {
  const missing = documents.filter((document) => keptEncoding(document) === undefined);
  for (const encoder of new Set([encoders.english, encoders.multilingual])) {
    const own = missing.filter(({ language }) => readerOf(language, encoders) === encoder);
    if (own.length === 0) continue;
    const encoded = await encoder.encode(own.map(({ text }) => text));
    own.forEach((document, i) => document.set(ENCODING, encoded[i]));
  }
};

/** The encoder's output for a document; throws if `prepareEncodings` was not called for it. */
export const encodingOf = (document: TextDocument): EncodedText => {
  const encoded = keptEncoding(document);
  if (encoded === undefined) throw new Error("the text was not encoded: call prepareEncodings first");
  return encoded;
};

const keptEncoding = (document: TextDocument): EncodedText | undefined =>
  document.once<EncodedText | undefined>(ENCODING, () => undefined);
