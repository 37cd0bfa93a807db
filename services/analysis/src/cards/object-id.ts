import type { ModelCard } from "./card.js";

/** The card of object-id. */
export const objectId: ModelCard = {
  analysis: "object-id",
  use: "which of the 80 COCO classes a picture shows, each once with the probability of its most likely instance, how many and where. Model `centernet-mobilenetv3-coco`, version 1.",
  data: "CenterNet on MobileNetV3, 512 × 512, from `@vladmandic/human` 3.3.6 (MIT), converted to ONNX; trained by its authors on COCO (annotations CC BY 4.0, Flickr photos under their own licenses). The network sees the picture twice, stretched to the square and reduced by 1.4 with its aspect ratio, since it misses objects that fill the view. Of two labels for one place the more likely one is kept.",
  knownLimits:
    "classes that COCO lacks get a similar class's name. Of 17 wrong labels 12 are on such animals: a quokka `bear` .89, a hippopotamus `cow` .77, a lion from behind `elephant` .75, a red panda `dog` .75, a gorilla in a tree `bird` .74, a sea lion `person` .71; the others are the beagles and a fundus of the eye `umbrella` .81, a menu with pictures `donut` .69, coins `clock` .65, a sundial `bird` .60. There is no label for unknown objects. Use a threshold of .8 if a wrong label costs more than a missing one.",
  engines: [
    {
      engine: "builtin",
      languages: null,
      scores: [
        {
          metric: "accuracy",
          value: 0.96,
          interval: [0.805, 0.993],
          rows: 25,
          on: "The main subject",
        },
      ],
    },
  ],
};
