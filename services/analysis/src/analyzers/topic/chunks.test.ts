import { describe, expect, it } from "vitest";
import { createDocument } from "../../text/document.js";
import { createTopic } from "./fast.js";

const analyzer = createTopic();
const values = (text: string) => analyzer.analyze(createDocument(text), { explain: false }).map(({ value }) => value);

describe("chunks in results", () => {
  it.each([
    ["ngl this game is so good no cap", ["game"]],
    ["that's cap", []],
    ["no cap fr fr istg", []],
    ["lowkey love this song", ["song", "love"]],
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
    ["The guy at the counter shouted", ["counter", "guy"]],
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
