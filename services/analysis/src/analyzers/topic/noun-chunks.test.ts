import { describe, expect, it } from "vitest";
import { tagText } from "../../text/tokens.js";
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

  it("makes a possessor a chunk of its own and part of the chunk it opens", () => {
    expect(chunks("They saw Google's new phone")).toEqual(["Google/PROPN", "Google's new phone/NOUN"]);
  });

  it("makes a title before a name a chunk of its own", () => {
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
