import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ENCODER_FOLDER, TOKENIZER_FILE } from "./card.js";
import { createUnigram, createVocabulary, PIECES_PER_TOKEN_MAX, SHAPE } from "./vocabulary.js";

interface Vocabulary {
  model: { vocab: Record<string, number> };
}
const json = JSON.parse(readFileSync(new URL(TOKENIZER_FILE, ENCODER_FOLDER), "utf8")) as Vocabulary;
const spelling = new Map(Object.entries(json.model.vocab).map(([piece, id]) => [id, piece]));
const { cut } = createVocabulary(json);
const read = (text: string): string[] => cut(text).ids.map((ids) => ids.map((id) => spelling.get(id)).join(" "));

describe("pieces", () => {
  it("are those of the vocabulary, token by token", () => {
    expect(read("Unbelievable café!")).toEqual(["unbelievable", "cafe", "!"]);
  });

  it("stand for addresses and people without naming them", () => {
    expect(read("@jane see https://example.com or mail a@b.org")).toEqual([
      "@ user",
      "see",
      "http",
      "or",
      "mail",
      "email",
    ]);
  });

  it("read hashtags and emoji as words", () => {
    expect(read("#WorldCup2014 😂 👍🏽")).toEqual(["# world cup 2014", "face with tears of joy", "thumbs up"]);
  });

  it("squeeze elongated words", () => {
    expect(read("soooooo")).toEqual(read("soo"));
  });

  it("tell how a token is written", () => {
    expect(cut("so Great WOW iPhone 42 @me 😂 !").shapes).toEqual([
      SHAPE.small,
      SHAPE.capitalized,
      SHAPE.capitals,
      SHAPE.mixed,
      SHAPE.number,
      SHAPE.address,
      SHAPE.emoji,
      SHAPE.other,
    ]);
  });

  it("are at least one and boundedly many for any token", () => {
    for (const text of ["\u200b", "\ud800", "的".repeat(5_000), "x".repeat(20_000), "\u0000"]) {
      const { tokens, ids } = cut(text);
      expect(ids).toHaveLength(tokens.length);
      for (const pieces of ids) {
        expect(pieces.length).toBeGreaterThan(0);
        expect(pieces.length).toBeLessThanOrEqual(PIECES_PER_TOKEN_MAX);
      }
    }
  });
});

const vocab = [
  ["<unk>", 0],
  ["▁un", -5],
  ["▁", -2],
  ["believ", -6],
  ["able", -3],
  ["believable", -12],
  ["a", -1],
  ["b", -1],
  ["😀", -4],
] as const;
const { split, idOf } = createUnigram({ model: { unk_id: 0, vocab } });
const piecesOf = (word: string): string[] => split(word).map((id) => vocab[id]?.[0] ?? "?");

describe("createUnigram", () => {
  it("takes the likeliest of all ways to spell a word", () => {
    expect(piecesOf("▁unbelievable")).toEqual(["▁un", "believ", "able"]);
    expect(piecesOf("ab")).toEqual(["a", "b"]);
  });

  it("reads what it does not know character by character, and the rest anyway", () => {
    expect(piecesOf("a漢b")).toEqual(["a", "<unk>", "b"]);
    expect(piecesOf("😀😂a")).toEqual(["😀", "<unk>", "a"]);
  });

  it("has nothing for nothing, and finds single pieces", () => {
    expect(split("")).toEqual([]);
    expect([idOf("able"), idOf("ab")]).toEqual([4, undefined]);
  });
});
