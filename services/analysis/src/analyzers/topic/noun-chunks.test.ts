import { describe, expect, it } from "vitest";
import { createDocument } from "../../text/document.js";
import { tagText } from "../../text/tokens.js";
import { createTopic } from "./fast-topics.js";
import { findNounChunks } from "./noun-chunks.js";

const chunks = (text: string) => {
  const tokens = tagText(text);
  return findNounChunks(tokens).map(({ first, last, head }) => {
    const value = text.slice(tokens[first]?.start, tokens[last]?.end);
    return `${value}/${head}`;
  });
};

describe("findNounChunks", () => {
  it("takes a noun with its determiners, adjectives, numbers and compounds", () => {
    expect(chunks("The very old brown dog chased two house cats in a garden.")).toEqual([
      "The very old brown dog/NOUN",
      "two house cats/NOUN",
      "a garden/NOUN",
    ]);
  });

  it("makes a possessor its own chunk and part of the chunk it opens", () => {
    expect(chunks("They saw Google's new phone")).toEqual(["Google/PROPN", "Google's new phone/NOUN"]);
  });

  it("makes a title before a name its own chunk", () => {
    expect(chunks("It was President Obama")).toEqual(["President/NOUN", "President Obama/PROPN"]);
  });

  it("keeps hyphenated modifiers and pairs of adjectives inside", () => {
    expect(chunks("It is a 15-year term")).toEqual(["a 15-year term/NOUN"]);
    expect(chunks("We found a nice and quiet place")).toEqual(["a nice and quiet place/NOUN"]);
  });

  it("separates a day from the noun before it, and lines from each other", () => {
    expect(chunks("The game tonight")).toEqual(["The game/NOUN", "tonight/NOUN"]);
    expect(chunks("big dog\nred car")).toEqual(["big dog/NOUN", "red car/NOUN"]);
  });

  it("finds none without nouns", () => {
    expect(chunks("She was very happy and so are we")).toEqual([]);
    expect(chunks("")).toEqual([]);
  });
});

const analyzer = createTopic();
const values = (text: string) => analyzer.analyze(createDocument(text), { explain: false }).map(({ value }) => value);

describe("chunks in results", () => {
  it.each([
    ["ngl this game is so good no cap", ["game"]],
    ["that's cap", []],
    ["no cap fr fr istg", []],
    ["lowkey love this song", ["song"]],
    ["tbf the teacher was right iykyk", ["teacher"]],
    ["deadass tired rn", []],
    ["i'm so weak lmaooo", []],
  ])("hold no chat words: %s", (text, expected) => {
    expect(values(text)).toEqual(expected);
  });

  it.each([
    ["He bought a red cap", ["red cap"]],
    ["I lost my cap", ["cap"]],
    ["My order never arrived", ["order"]],
    ["The case against him collapsed", ["case"]],
    ["Young people cannot pay the rent", ["Young people", "rent"]],
    ["The guy at the counter shouted", ["counter"]],
    ["They want the 'cheap' tickets back", ["tickets"]],
  ])("hold nouns that are vague only elsewhere: %s", (text, expected) => {
    expect(values(text).sort()).toEqual([...expected].sort());
  });

  it.each(["of course", "in order to win", "just in case", "for instance", "some good people", "no way, man"])(
    "hold no idioms and vague nouns: %s",
    (text) => {
      expect(values(text)).toEqual([]);
    },
  );
});
