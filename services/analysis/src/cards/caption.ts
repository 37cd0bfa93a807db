import type { ModelCard } from "./card.js";

/** The card of caption. */
export const caption: ModelCard = {
  analysis: "caption",
  use: 'one sentence that favors truth over detail: "three people with two motorcycles", "a person riding a horse", "a giraffe and a zebra". Model `caption-composed`, version 3. If nothing is certain enough there is no caption: the list is empty. Videos get a `duration` and, for each scene, its start (`HH:MM:SS`) and a description, at most 60; scenes without findings are omitted.',
  data: 'captions are composed of `object-id` (classes from probability .75, animals .70, food .87), faces, activities (from .60; never squatting, lunging or lying, and no standing in videos) and large short print (from .98; no addresses, owners\' names or small print at the edge). Animals are named from .87, except bears, and lorries and buses are "vehicles" below it; other animals are "an animal", since the detector knows only ten kinds and labels badgers and monkeys as bears.',
  knownLimits:
    'False captions, quoted: "a person with a toilet and a potted plant" (a cabinet), "two animals" (two blossoms), "a bird" (a butterfly), "an umbrella" (a fundus of the eye), "a truck and two cars" (a police van), "a person with a frisbee" (a toy), "two people" (bishops, more behind them cut off), "three people with a motorcycle" (five, behind each other, with four), "five cars" (more, far away), "cakes" (one, with strawberries). The most striking subject may not be among the 80 classes, as in a cake shop, and the caption may miss the point ("a bicycle and a car" for a dog before a bicycle).',
  engines: [
    {
      engine: "builtin",
      languages: null,
      scores: [
        {
          metric: "precision",
          value: 0.85,
          rows: 183,
          on: "some 15 of these name one object where there are more",
        },
      ],
    },
  ],
};
