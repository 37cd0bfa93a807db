import { describe, expect, it } from "vitest";
import { cutUnspaced, tokenize } from "./tokenizer.js";

const words = (text: string) => tokenize(text).map((token) => token.text);
const kinds = (text: string) => tokenize(text).map((token) => `${token.text}/${token.kind}`);

describe("tokenize", () => {
  it("cuts clitics and hyphens as treebanks do", () => {
    expect(words("I don't think Apple’s well-known CEO cannot say they'll win.")).toEqual([
      ...[
        "I",
        "do",
        "n't",
        "think",
        "Apple",
        "’s",
        "well",
        "-",
        "known",
        "CEO",
        "can",
        "not",
        "say",
        "they",
        "'ll",
        "win",
        ".",
      ],
    ]);
  });

  it("keeps abbreviations, names and numbers whole", () => {
    expect(words("Mr. O'Brien of the U.S. paid AT&T $3.5m at 10:30am on the 3rd, by e-mail")).toEqual([
      ...[
        "Mr.",
        "O'Brien",
        "of",
        "the",
        "U.S.",
        "paid",
        "AT&T",
        "$",
        "3.5",
        "m",
        "at",
        "10:30",
        "am",
        "on",
        "the",
        "3rd",
      ],
      ...[",", "by", "e-mail"],
    ]);
  });

  it("keeps what posts are made of in one piece", () => {
    expect(kinds("@ana's #WorldCup2014 👨‍👩‍👧🇺🇸 :) http://t.co/abc, nbc.com/x me@x.org &amp; 1️⃣")).toEqual([
      ...["@ana/mention", "'s/word", "#WorldCup2014/hashtag", "👨‍👩‍👧/emoji", "🇺🇸/emoji", ":)/emoticon"],
      ...["http://t.co/abc/url", ",/punctuation", "nbc.com/x/url", "me@x.org/email", "&amp;/symbol", "1️⃣/emoji"],
    ]);
  });

  it("gives offsets that cut the text back into its tokens", () => {
    const text = "  Émile’s 😂 co-op\n\nfünf—sechs \ud800 नमस्ते #été ";
    for (const token of tokenize(text)) expect(text.slice(token.start, token.end)).toBe(token.text);
    const covered = tokenize(text).map((token) => token.text);
    expect(covered.join("")).toBe(text.replace(/\s+/g, ""));
  });

  it("tells where spaces and lines are", () => {
    const [first, second, third] = tokenize("one two\nthree");
    expect([first?.spaced, second?.spaced, second?.newLine, third?.newLine]).toEqual([false, true, false, true]);
  });

  // Quadratic running time would exceed the time limit of the test.
  it("keeps every character of texts made to be slow", () => {
    for (const text of [
      "a.".repeat(50_000),
      "a-".repeat(50_000),
      "@".repeat(100_000),
      "'s".repeat(50_000),
      "-".repeat(99_999),
      "www.".repeat(25_000),
      "a@b.".repeat(25_000),
      "x".repeat(100_000),
      "1,".repeat(50_000),
      ":-".repeat(50_000),
    ]) {
      const length = tokenize(text).reduce((sum, token) => sum + token.text.length, 0);
      expect(length, text.slice(0, 8)).toBe(text.length);
    }
  });
});

const cutWords = (text: string): string[] => cutUnspaced(tokenize(text)).map((token) => token.text);

describe("cutUnspaced", () => {
  it.each([
    ["我昨天在北京大学见到了老师。", "老师"],
    ["東京タワーはとても高いです", "高い"],
    ["ฉันรักประเทศไทยมาก", "ประเทศไทย"],
  ])("cuts %s into words", (text, word) => {
    expect(cutWords(text)).toContain(word);
    expect(cutWords(text).length).toBeGreaterThan(2);
    expect(cutWords(text).join("")).toBe(text);
  });

  it("leaves words with spaces, and what is no word, whole", () => {
    for (const text of ["El vino está muy bueno :-) #Madrid", "Очень хорошо! https://example.org"]) {
      expect(cutUnspaced(tokenize(text))).toEqual(tokenize(text));
    }
  });

  it("knows where each word lies in the text", () => {
    const text = "😀 我 爱 北京 2024年";
    for (const { text: word, start, end } of cutUnspaced(tokenize(text))) expect(text.slice(start, end)).toBe(word);
    const [, first, second] = cutUnspaced(tokenize("x 北京大学老师"));
    expect([first?.spaced, second?.spaced]).toEqual([true, false]);
  });
});
