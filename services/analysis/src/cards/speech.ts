import type { ModelCard } from "./card.js";

/** The card of speech. */
export const speech: ModelCard = {
  analysis: "speech",
  use: 'transcribes speech in MP3 files and videos into the `transcript` of a content (`text`, `language`, `supported`, `segments` with `start`, `end` in seconds and `language`), which the textual analyses use (`source: "transcript"`). Do not use it as evidence. Speakers are not identified, and voices are not compared or kept.',
  data: "for English Moonshine tiny of Useful Sensors (MIT; 27 million parameters), `MODEL_SPEECH`, default `onnx-community/moonshine-tiny-ONNX`; for other languages Whisper base of OpenAI (MIT; 74 million parameters), `hourglass/whisper-base`. They do not ship with the product: they are downloaded into `MODELS_DIR` for the first audio or by `npm run models -- pull speech speech-languages`, see Getting models. `model` of a transcript is that of its `language`, `version` derived from the checksums of both networks.",
  knownLimits:
    'numbers and names are transcribed by sound ("late" as "8"); changes of speaker are not marked; speech below 0.2 s and whispering are missed; two channels are mixed, which cancels out signals in opposite phase; of several tracks only the first is used.',
  engines: [
    {
      engine: "builtin",
      languages: ["en", "es", "fr", "it", "ru"],
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
        {
          metric: "word_error_rate",
          value: 0.074,
          interval: [0.044, 0.107],
          rows: 691,
          on: "English prompts",
        },
        {
          metric: "word_error_rate",
          value: 0.157,
          interval: [0.118, 0.199],
          rows: 892,
          on: "Spanish prompts",
        },
        {
          metric: "word_error_rate",
          value: 0.164,
          interval: [0.139, 0.192],
          rows: 660,
          on: "French prompts",
        },
        {
          metric: "word_error_rate",
          value: 0.121,
          interval: [0.084, 0.165],
          rows: 643,
          on: "Italian prompts",
        },
        {
          metric: "word_error_rate",
          value: 0.168,
          interval: [0.126, 0.221],
          rows: 552,
          on: "Russian prompts",
        },
      ],
    },
  ],
};
