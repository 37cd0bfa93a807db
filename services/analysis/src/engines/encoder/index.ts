/** The encoder's interface for the analyses: `prepareEncodings` for a batch, `encodingOf` for each of its documents. */
export type { EncoderCard, EncoderTags } from "./card.js";
export { createEncoderAnalyzer, type EncoderAnalyzer } from "./classifier.js";
export type { EncodedText, Encoder } from "./encoder.js";
export { type EncoderFolders, encoderOf, encodersOf, encodingOf, prepareEncodings } from "./encodings.js";
