import type { ModelCard } from "./card.js";

/** The card of face-id. */
export const faceId: ModelCard = {
  analysis: "face-id",
  use: "whether human faces are visible (`face`, once, with the probability of the most likely face), how many and where, and, where a company has enrolled people and `FACE_RECOGNITION` is on, their names. Model `face-api-ssd-mobilenetv1`, version 2. Do not use it to make decisions about people, or to find people who have not agreed.",
  data: "the package is MIT; the networks were trained on WIDER FACE (detector) and others, see its documentation; we trained nothing. Measured on the photos of PHOTOS.md: 126 tuning and 67 held-out ones with counted faces, most of them of animals and objects.",
  knownLimits:
    "there are too few photos to measure it by group. The most similar strangers were young women of similar appearance, at .52; networks of this kind are known to make more errors for women, children, people with dark skin, and relatives. Expect worse results in surveillance-like pictures.",
  engines: [
    {
      engine: "builtin",
      languages: null,
      scores: [
        {
          metric: "false_positives",
          value: 0.0,
          interval: [0.0, 0.062],
          rows: 58,
          on: "photos without a face",
        },
      ],
    },
  ],
};
