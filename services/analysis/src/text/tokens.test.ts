import { describe, expect, it } from "vitest";
import { createDocument } from "./document.js";
import { tagText, tokensOf } from "./tokens.js";

const tags = (text: string) => tagText(text).map(({ text: word, pos }) => `${word}/${pos}`);

describe("tokensOf", () => {
  it("computes the tokens of a document once", () => {
    const document = createDocument("The dogs bark.");
    expect(tokensOf(document)).toBe(tokensOf(document));
  });
});

describe("tagText", () => {
  it("tags words, clitics and what is no word", () => {
    expect(tags("She's reading Anna's new book, isn't she? #fun 😂")).toEqual([
      ...["She/PRON", "'s/AUX", "reading/VERB", "Anna/PROPN", "'s/PART", "new/ADJ", "book/NOUN", ",/PUNCT", "is/AUX"],
      ...["n't/PART", "she/PRON", "?/PUNCT", "#fun/X", "😂/SYM"],
    ]);
  });

  it("does not take the capital of a first word for a name", () => {
    expect(tags("Dogs are nice")[0]).toBe("Dogs/NOUN");
  });

  it("keeps words aligned that wink-nlp cuts in two", () => {
    expect(tags("i cant find dogs on a map").slice(-3)).toEqual(["on/ADP", "a/DET", "map/NOUN"]);
  });

  it("gives the same tags whatever was tagged before", () => {
    const before = tags("The qwzx.bar-baz of Foobarland");
    for (let i = 0; i < 50; i++) tagText(`qwzx.bar-baz Foobarland${i} qwzx bar baz`);
    expect(tags("The qwzx.bar-baz of Foobarland")).toEqual(before);
  });

  it("tags all of 20,000 characters", () => {
    expect(tagText("The quick brown fox jumps over it. ".repeat(600)).length).toBe(600 * 8);
  });
});
