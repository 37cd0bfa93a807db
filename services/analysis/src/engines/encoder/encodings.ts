import type { TextDocument } from "../../analyzer.js";
import { createEncoder, type EncodedText, type Encoder } from "./encoder.js";
import { ENCODER_FOLDER } from "./model-folder.js";

const ENCODING = Symbol("encoding");

/** By folder: tests use models of their own. */
const encoders = new Map<string, Encoder>();

/** The encoder of this thread, read on first use; throws with the reason if its files are missing or damaged. */
export const encoderOf = (folder: URL = ENCODER_FOLDER): Encoder => {
  let encoder = encoders.get(folder.href);
  if (encoder === undefined) {
    encoder = createEncoder(folder);
    encoders.set(folder.href, encoder);
  }
  return encoder;
};

/** Encodes the documents that are not encoded yet as one batch, and caches the results in them for every analysis. */
export const prepareEncodings = async (
  documents: readonly TextDocument[],
  encoder: Encoder = encoderOf(),
): Promise<void> => {
  const missing = documents.filter((document) => keptEncoding(document) === undefined);
  if (missing.length === 0) return;
  const encoded = await encoder.encode(missing.map(({ text }) => text));
  missing.forEach((document, i) => document.set(ENCODING, encoded[i]));
};

/** The encoder's output for a document; throws if `prepareEncodings` was not called for it. */
export const encodingOf = (document: TextDocument): EncodedText => {
  const encoded = keptEncoding(document);
  if (encoded === undefined) throw new Error("the text was not encoded: call prepareEncodings first");
  return encoded;
};

const keptEncoding = (document: TextDocument): EncodedText | undefined =>
  document.once<EncodedText | undefined>(ENCODING, () => undefined);
