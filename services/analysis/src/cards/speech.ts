import type { ModelCard } from "./card.js";

/** The card of speech. */
export const speech: ModelCard = {
  analysis: "speech",
  use: 'transcribes English speech in MP3 files and videos into the `transcript` of a content (`text`, `segments` with `start` and `end` in seconds), which the textual analyses use (`source: "transcript"`). Do not use it as evidence. Speakers are not identified, and voices are not compared or kept.',
  data: "Moonshine tiny for English of Useful Sensors (MIT; 27 million parameters), `MODEL_SPEECH`, default `onnx-community/moonshine-tiny-ONNX`. It does not ship with the product: it is downloaded into `MODELS_DIR` for the first audio or by `npm run models -- pull speech`, see Getting models. `model.version` of a transcript is derived from the checksums of both networks.",
  knownLimits:
    'numbers and names are transcribed by sound ("late" as "8"); changes of speaker are not marked; speech below 0.2 s and whispering are missed; two channels are mixed, which cancels out signals in opposite phase; of several tracks only the first is used.',
  engines: [
    {
      engine: "builtin",
      languages: ["en"],
      scores: [
        {
          metric: "word_error_rate",
          value: 0.102,
          rows: 266,
          on: "word error rate, 24 sentences (266 words)",
        },
        {
          metric: "word_error_rate",
          value: 0.06,
          rows: 266,
          on: "the same in one recording without pauses",
        },
      ],
    },
  ],
};
