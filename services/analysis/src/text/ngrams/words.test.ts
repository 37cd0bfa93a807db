import { describe, expect, it } from "vitest";
import { words } from "./words.js";

const forms = (text: string): string[] => words(text).map(({ form }) => form);
const negated = (text: string): string[] => words(text).flatMap((word) => (word.negated ? [word.form] : []));

describe("words", () => {
  it("replaces URLs, addresses, people and digits by placeholders", () => {
    expect(forms("@bob see http://x.co/a?b=1 or www.x.co, mail a.b@x.org [NAME] 80082")).toEqual([
      "<person>",
      "see",
      "<url>",
      "or",
      "<url>",
      "mail",
      "<email>",
      "<person>",
      "00000",
    ]);
  });

  it("squeezes elongation in words and marks", () => {
    expect(forms("Sooooo goood!!!! Really....")).toEqual(["soo", "good", "!!", "really", "..."]);
    expect(words("Sooooo").map(({ elongated }) => elongated)).toEqual([true]);
  });

  it("keeps emoji and emoticons as pieces, without skin tones and variation selectors", () => {
    expect(forms("fine 👍🏽 ❤️ 👩‍👩‍👧 :-) <3")).toEqual(["fine", "👍", "❤", "👩‍👩‍👧", ":-)", "<3"]);
  });

  it("marks the words after a negation up to the end of the clause", () => {
    expect(negated("I don't like it, but you do")).toEqual(["like", "it"]);
    expect(negated("not a b c d e f g")).toEqual(["a", "b", "c", "d", "e"]);
    expect(negated("I like it")).toEqual([]);
  });

  it("reads curly and straight, glued and tokenized contractions alike", () => {
    expect(forms("I don’t, it’s")).toEqual(forms("I don't, it's"));
    expect(forms("do n't")).toEqual(forms("don't"));
  });

  it("remembers capitals and forgets case", () => {
    expect(words("LOVE love I").map(({ form, capitals }) => [form, capitals])).toEqual([
      ["love", true],
      ["love", false],
      ["i", false],
    ]);
  });

  it("reads through the HTML that collectors leave", () => {
    expect(forms("Tom &amp; Ann<br />Here")).toEqual(["tom", "&", "ann", "here"]);
  });

  it("survives lone surrogates, control characters and nothing at all", () => {
    expect(() => words("\ud800 a \udc00\u0000\u202e")).not.toThrow();
    expect(words("")).toEqual([]);
  });
});
