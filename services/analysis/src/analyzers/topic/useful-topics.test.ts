import { describe, expect, it } from "vitest";
import { createDocument } from "../../text/document.js";
import { tagText } from "../../text/tokens.js";
import type { Entity, EntityType } from "../../text/gazetteers.js";
import { correctBorders } from "./entity-borders.js";
import { createTopic } from "./fast-topics.js";
import { findNounChunks } from "./noun-chunks.js";
import { topicsOf } from "./topics.js";

const analyzer = createTopic();
const values = (text: string): string[] =>
  analyzer.analyze(createDocument(text), { explain: false }).map(({ value }) => value);

/** The topics of a text in which a tagger found the given names, each `words/TYPE`. */
const topicsWith = (text: string, ...names: string[]): string[] => {
  const tokens = tagText(text);
  const found = names.map((name): Entity => {
    const [words = "", type = "ORG"] = name.split("/");
    const start = text.indexOf(words);
    const first = tokens.findIndex((token) => token.start === start);
    const last = tokens.findIndex((token) => token.end === start + words.length);
    return { first, last, type: type as EntityType, prob: 0.9 };
  });
  const entities = correctBorders(tokens, found);
  return topicsOf(
    { text, tokens, entities, chunks: findNounChunks(tokens) },
    { explain: false, chunks: "english" },
  ).map(({ value, topic_type: kind, sub_type: type }) => (kind === "entity" ? `${value}/${type ?? ""}` : value));
};

describe("topics are useful", () => {
  it.each([
    ["I saw the others at the concert", ["concert"]],
    ["dammit dudes, the printer broke", ["printer"]],
    ["This film is a masterpiece", ["film"]],
    ["The freshness of this cheese", ["cheese"]],
    ["The kindness of [RELIGION] people", ["kindness"]],
    ["three-quarters of our staff", ["staff"]],
    ["My lease ends in Dec.", ["lease"]],
  ])("and neither refer, address nor judge: %s", (text, expected) => {
    expect(values(text)).toEqual(expected);
  });

  it.each([
    ["Mark your calendars for the parade", ["parade"]],
    ["We bought the tent on the cheap", ["tent"]],
    ["The council must take action on litter", ["council", "litter"]],
    ["More info about the fav parade", ["parade"]],
  ])("without idioms and words that say nothing: %s", (text, expected) => {
    expect(values(text).sort()).toEqual([...expected].sort());
  });

  it.each([
    ["a little cafe", ["cafe"]],
    ["They filmed gratuitous violence", ["violence"]],
    ["a religious holiday", ["religious holiday"]],
    ["special effects and poor service", ["special effects", "service"]],
  ])("without adjectives that judge: %s", (text, expected) => {
    expect(values(text).sort()).toEqual([...expected].sort());
  });

  it.each([
    ["We want tomorrow tickets", ["tickets"]],
    ["Friday night drinks", ["drinks"]],
    ["The parcel today was wet", ["parcel"]],
    ["Sunday school starts", ["Sunday school"]],
  ])("without when: %s", (text, expected) => {
    expect(values(text)).toEqual(expected);
  });

  it.each([
    ["A wave of protests", ["protests"]],
    ["The wave destroyed the harbor", ["wave", "harbor"]],
    ["It is all in my head", []],
    ["My head hurts", ["head"]],
    ["I lost a few pounds", []],
    ["Jim ran out of steam", ["Jim"]],
  ])("and taken as they are meant: %s", (text, expected) => {
    expect(values(text).sort()).toEqual([...expected].sort());
  });

  it.each([
    ["#SoProud", []],
    ["#proud", []],
    ["#RefugeesWelcome", ["Refugees Welcome"]],
  ])("and no feelings in hashtags: %s", (text, expected) => {
    expect(values(text)).toEqual(expected);
  });

  it("name a person once, however the hashtag does", () => {
    expect(topicsWith("Tamika Lindqvist sings #Tamika", "Tamika Lindqvist/PERSON")).toEqual([
      "Tamika Lindqvist/PERSON",
    ]);
  });

  it("prefer words that a dictionary has over those that it has not", () => {
    expect(values("We discussed the zorblaxing and the photosynthesis")[0]).toBe("photosynthesis");
  });
});

describe("names are whole", () => {
  it.each([
    ["we love the Roskilde Festival", "Roskilde/GPE", ["Roskilde Festival/EVENT"]],
    ["the fall of the Habsburg Monarchy was slow", "Habsburg/GPE", ["Habsburg Monarchy/GPE"]],
    ["we cheered for Miss USA", "USA/GPE", ["Miss USA/EVENT"]],
    ["I dropped my Nokia 5800", "Nokia/ORG", ["Nokia 5800/PRODUCT"]],
    ["we cheered for Team GB", "GB/GPE", ["Team GB/ORG"]],
    ["I love the original Star Trek", "original Star Trek/WORK_OF_ART", ["Star Trek/WORK_OF_ART"]],
    ["tonight All About the Benjamins is on", "Benjamins/WORK_OF_ART", ["All About the Benjamins/WORK_OF_ART"]],
  ])("%s", (text, name, expected) => {
    expect(topicsWith(text, name)).toEqual(expected);
  });

  it("of works and houses that were found in two pieces", () => {
    expect(topicsWith("we saw Man From Qorvex", "Man/WORK_OF_ART", "Qorvex/WORK_OF_ART")).toEqual([
      "Man From Qorvex/WORK_OF_ART",
    ]);
    expect(topicsWith("at Winspear Opera House", "Winspear/FAC", "Opera House/FAC")).toEqual([
      "Winspear Opera House/FAC",
    ]);
  });

  it("and not the capitals of headlines", () => {
    expect(topicsWith("Denmark Party Wins Big Vote", "Denmark/GPE")).toContain("Denmark/GPE");
  });

  it("and no ordinary word that a longer chunk covers", () => {
    expect(topicsWith("Climate museum opens", "Climate/FAC")).toEqual(["Climate museum"]);
    expect(topicsWith("Qorvex fans cheer", "Qorvex/ORG")).toContain("Qorvex/ORG");
  });
});
