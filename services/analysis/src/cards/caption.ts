import type { ModelCard } from "./card.js";

/** The card of caption. */
export const caption: ModelCard = {
  analysis: "caption",
  use: 'one sentence that favors truth over detail: "three people with two motorcycles", "a person riding a horse", "a giraffe and a zebra". Model `caption-composed`, version 5. If nothing is certain enough there is no caption: the list is empty. Videos get a `duration` and, for each scene, its start (`HH:MM:SS`) and a description, at most 60; scenes without findings are omitted.',
  data: 'captions are composed of `object-id` (what the picture shows as a whole first; classes from probability .75, animals .70, food .87, or .5 where the classifier agrees), faces, activities (from .60; never squatting, lunging or lying, and no standing in videos) and large short print (from .98; no addresses, owners\' names or small print at the edge). Animals are named from .87, except bears, and lorries and buses are "vehicles" below it; other animals have the classifier\'s name, or are "an animal" where it has none, since the detector knows only ten kinds and labels badgers and monkeys as bears. Where the classifier\'s name is narrower than the detector\'s (an owl is a bird), it gets the detector\'s number. Where people are small, the place comes first ("a castle and people"). A chart, document, screenshot, drawing or painting is called so, and nothing in it is counted. A screenshot is one "of a post" where two of three are read: a name with "@", counts of likes, reposts, replies or views (in English), "3h". The line of a chart or a page that is clearly taller than the others is quoted.',
  knownLimits:
    'False captions, quoted: "a tent and a bottle" (a hammock), "a lake" (fog before a wood), "a landscape" (a raven in fog), "a car and a landscape" (a bridge), "a person with a dog" (two people with a dog). Before, on other photos: "a person with a frisbee" (a toy), "two people" (bishops, more behind them cut off), "five cars" (more, far away), "five clocks" (a test pattern). The most striking subject may have no word, and the caption may miss the point ("a screen" for a plush toy before it, "a bench" for a park).',
  engines: [
    {
      engine: "builtin",
      languages: null,
      scores: [
        { metric: "precision", value: 0.924, interval: [0.835, 0.967], rows: 66, on: "on the 104 judged photos" },
        { metric: "recall", value: 0.72, interval: [0.614, 0.805], rows: 82, on: "have a true one" },
      ],
    },
  ],
};
