import { repeats } from "@hourglass/runtime/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileQuery, type SearchedTexts } from "./matcher.js";
import { parseQuery } from "./parser.js";
import { tokenize } from "./tokenizer.js";
import { postings, queries, texts } from "./testing/queries.js";
import { fulfills } from "./testing/reference.js";

const matches = (keywords: string, posting: string | SearchedTexts): boolean =>
  compileQuery(parseQuery(keywords)).match(typeof posting === "string" ? { text: posting } : posting).matches;

describe("a matcher", () => {
  it.each([
    ["kestrel", "My Kestrel!", true],
    ["kestrel", "two kestrels", false],
    ["kestrel phone", "a phone by kestrel", true],
    ["kestrel phone", "kestrel", false],
    ['"kestrel phone"', "the Kestrel: phone", true],
    ['"kestrel phone"', "kestrel the phone", false],
    ["kestrel, peregrine", "a peregrine", true],
    ["kestrel (phone OR tablet) -case", "kestrel tablet", true],
    ["kestrel (phone OR tablet) -case", "kestrel tablet case", false],
    ["kestrel -case, tablet", "tablet case", true],
    ["a -(b OR c)", "a c", false],
    ["a -(b c)", "a c", true],
    ['"a, b", c', "a b", true],
    ["OR", "now or never", true],
    ["café", "CAFE", true],
    ["cafe", "CAFÉ", true],
    ["кестрел", "КЕСТРЕЛ", true],
    ["東京 地震", "東京で地震がありました", true],
    ["東京地震", "東京 地震 速報", true],
    ["東京地震", "地震 東京", false],
    ["e-mail", "an E mail", true],
    ["e-mail", "mail e", false],
    ["trump", "Trump's and Trump’s", true],
    ["trump's", "trump", true],
    ["iphone", "l'iPhone et l’iPhone", true],
    ["l'iphone", "un iPhone", true],
    ["l'iphone", "d'iPhone", true],
    ["accord", "pas d'accord", true],
    ["arte", "la commedia dell'arte", true],
    ["dell", "la commedia dell'arte", false],
    ['"prix de l\'iphone"', "le prix de l’iPhone", true],
    ["ipho*", "l'iPhone", true],
    ["samsung", "Samsung'un yeni telefonu", true],
    ["samsung", "Samsung’da indirim", true],
    ["samsung", "SAMSUNG'LARDAN", true],
    ["kennedy", "Kennedy'ego", true],
    ['"galaxy samsung"', "galaxy Samsung'un", true],
    ["don", "we don't", false],
    ["we", "we'll and we're", false],
    ["qur", "the Qur'an", false],
    ["삼성", "삼성이 발표했다", true],
    ["삼성", "삼성은 오늘", true],
    ["삼성", "삼성에서는", true],
    ["삼성", "삼성가", false],
    ["물", "물을", true],
    ["삼성이", "삼성 주가", false],
    ['"삼성 전자"', "삼성 전자가", true],
    ["삼성 삼성이", "삼성이", true],
    ["전자", "LG전자로", true],
    ["삼성*", "삼성전자", true],
    ["كتاب", "الكتاب جديد", true],
    ["كتاب", "والكتاب وبالكتاب", true],
    ["كتاب", "للكتاب", true],
    ["الكتاب", "والكتاب", true],
    ["الكتاب", "كتاب", false],
    ["كتاب", "کتاب", true],
    ["ایران", "إيران", true],
    ["1,000", "over 1,000 people", true],
    ["1,000", "1 and 000", false],
    ["hui", "aujourd'hui", false],
    ["brien", "O'Brien", false],
    ["kes*", "two Kestrels", true],
    ["kes*", "a ke s", false],
    ["🔥", "on fire🔥🔥", true],
    ["👍", "👍🏽", true],
    ["kestrel", "https://kestrel.example/kestrel", false],
  ])("of %s for %j decides %s", (keywords, text, expected) => {
    expect(matches(keywords, text)).toBe(expected);
  });

  it("finds tags in the text and in the list of tags, as tags and as words", () => {
    expect(matches("#kestrel", "the #Kestrel")).toBe(true);
    expect(matches("#kestrel", { text: "", tags: ["Kestrel"] })).toBe(true);
    expect(matches("#kestrel", { text: "", tags: ["#kestrel"] })).toBe(true);
    expect(matches("kestrel", "#kestrel")).toBe(true);
    expect(matches("kestrel", { text: "", tags: ["kestrel"] })).toBe(true);
    expect(matches("#kestrel", "#a#kestrel")).toBe(true);
    expect(matches("#KestrelPhone", { text: "", tags: ["kestrel phone"] })).toBe(true);
    expect(matches("#Café", "#CAFE")).toBe(true);
    expect(matches("#東京", "行こう #東京 へ")).toBe(true);
  });

  it("does not take words, other tags or entities for a tag", () => {
    expect(matches("#kestrel", "kestrel")).toBe(false);
    expect(matches("#kestrel", "#kestrels")).toBe(false);
    expect(matches("#39", "it&#39;s")).toBe(false);
    expect(matches("#sharp", "c#sharp")).toBe(false);
  });

  it("finds mentions only as mentions", () => {
    expect(matches("@kestrel_eg", "thanks (@Kestrel_EG).")).toBe(true);
    expect(matches("@Kestrel.EG", "hi @kestrel.eg!")).toBe(true);
    expect(matches("@name@host.example", { text: "", mentions: ["Name@host.example"] })).toBe(true);
    expect(matches("@kestrel_eg", { text: "", mentions: ["@kestrel_eg"] })).toBe(true);
    expect(matches("@kestrel_eg", "kestrel_eg")).toBe(false);
    expect(matches("@kestrel", "mail@kestrel")).toBe(false);
    expect(matches("@kestrel", "@kestrelさん")).toBe(true);
  });

  it("searches the title, but finds no phrase across two texts", () => {
    expect(matches("kestrel", { title: "Kestrel", text: "" })).toBe(true);
    expect(matches("kestrel phone", { title: "Kestrel", text: "phone" })).toBe(true);
    expect(matches('"kestrel phone"', { title: "Kestrel", text: "phone" })).toBe(false);
  });

  it("names the terms that match, as the user wrote them", () => {
    const matcher = compileQuery(parseQuery('Kestrel (phone OR tablet), "the case", x'));
    expect(matcher.match({ text: "the case of a kestrel phone" }).matchedTerms).toEqual([
      "Kestrel (phone OR tablet)",
      '"the case"',
    ]);
  });

  it("finds phrases that overlap and contain each other", () => {
    expect(matches('"a b a c"', "a b a b a c")).toBe(true);
    expect(matches('"b c" "a b c d" "c d" c', "a b c d")).toBe(true);
    expect(matches('"b c" -"c d"', "a b c")).toBe(true);
  });

  it("forgets a posting before the next", () => {
    const matcher = compileQuery(parseQuery("kestrel phone, kes* #tag @name"));
    expect(matcher.match({ text: "kestrel #tag" }).matches).toBe(false);
    expect(matcher.match({ text: "phone @name" }).matches).toBe(false);
  });

  it("decides alike for other cases, widths, accents and compositions of a text", () => {
    const variants: ((text: string) => string)[] = [
      (text) => text.toUpperCase(),
      (text) => text.normalize("NFD"),
      (text) => text.replaceAll(/[!-~]/g, (char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0)),
      (text) => text.replaceAll(/\p{Script=Latin}/gu, "$&\u0301"),
    ];
    fc.assert(
      fc.property(queries, texts, fc.constantFrom(...variants), (query, text, vary) => {
        const matcher = compileQuery(query);
        expect(matcher.match({ text: vary(text) })).toEqual(matcher.match({ text }));
      }),
      { numRuns: repeats(500) },
    );
  });

  it("decides as the language is described", () => {
    fc.assert(
      fc.property(queries, postings, (query, posting) => {
        const expected = query.terms.filter(({ expression }) => fulfills(expression, posting));
        expect(compileQuery(query).match(posting).matchedTerms).toEqual(expected.map(({ text }) => text));
      }),
      { numRuns: repeats(1000) },
    );
  });

  it("finds each word of any text in it", () => {
    // Dictionaries may divide a word that stands alone differently.
    const dictionaryScript = /\p{sc=Han}|\p{sc=Hira}|\p{sc=Kana}|\p{sc=Thai}|\p{sc=Laoo}|\p{sc=Khmr}|\p{sc=Mymr}/u;
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 40 }), (text) => {
        fc.pre(!dictionaryScript.test(text.normalize("NFKC")));
        for (const word of tokenize(text)) {
          const terms = [{ text: word, expression: { kind: "phrase", text: word } as const }];
          expect(compileQuery({ terms }).match({ text }).matches).toBe(true);
        }
      }),
      { numRuns: repeats(500) },
    );
  });
});
