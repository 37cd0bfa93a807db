import { repeats } from "@hourglass/runtime/testing";
import { fold } from "@hourglass/runtime/text";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tokenize } from "./tokenizer.js";

describe("tokenize", () => {
  it.each([
    ["Kestrel's phone, the KESTREL’S", ["kestrel", "phone", "the", "kestrel"]],
    ["e-mail lang:en c++ R&D", ["e", "mail", "lang", "en", "c", "r", "d"]],
    ["5,000 3.14 U.S.A. don't o'clock", ["5,000", "3.14", "u.s.a", "don't", "o'clock"]],
    ["L’iPhone d'Angelo qu'il l'Oréal's", ["iphone", "angelo", "il", "oreal"]],
    ["dell'arte un'altra nell’acqua", ["arte", "altra", "acqua"]],
    ["aujourd'hui quelqu'un O'Brien rock'n'roll", ["aujourd'hui", "quelqu'un", "o'brien", "rock'n'roll"]],
    ["l'l'l'iphone's's s's l' d'", ["iphone", "s", "l", "d"]],
    ["kestrel_eg _kestrel_ __", ["kestrel_eg", "kestrel"]],
    ["#Kestrel @kestrel_eg", ["kestrel", "kestrel_eg"]],
    ["Kestrel™ phone®", ["kestrel", "phone"]],
    ["東京で地震", ["東京", "で", "地震"]],
    ["한국어 문장, iPhone은 2024년", ["한국어", "문장", "iphone", "은", "2024", "년"]],
    ["हिन्दी में", ["हिन्दी", "में"]],
  ])("divides %j into %j", (text, words) => {
    expect(tokenize(text)).toEqual(words.map((word) => word.normalize("NFC")));
  });

  it("takes each emoji as a word, whatever its skin tone and variation", () => {
    expect(tokenize("ok👍🏽🔥🔥 ❤️ 👩‍💻🇪🇬🇫🇷")).toEqual(["ok", "👍", "🔥", "🔥", "❤", "👩‍💻", "🇪🇬", "🇫🇷"]);
  });

  it("skips web addresses, and continues after them", () => {
    expect(tokenize("see https://a.example/kestrel?q=x now")).toEqual(["see", "now"]);
    expect(tokenize("[phone](http://a.example/wiki/Kestrel_(bird)) www.kestrel.example!")).toEqual(["phone"]);
    expect(tokenize("HTTPS://A.EXAMPLE/東京")).toEqual(["東京"]);
  });

  it("leaves no affix that it would remove the second time", () => {
    const parts = fc.constantFrom("l", "d", "s", "qu", "un", "quoiqu", "a", "'", "'s", "’", "_", " ");
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 12 }), (text) => {
        for (const word of tokenize(text.join(""))) expect(tokenize(word)).toEqual([word]);
      }),
      { numRuns: repeats(1000) },
    );
  });

  it("divides text of spaced scripts as Intl.Segmenter does", () => {
    const segmenter = new Intl.Segmenter("und", { granularity: "word" });
    const wordsOf = (text: string): string[] =>
      Array.from(segmenter.segment(text))
        .filter(({ isWordLike }) => isWordLike === true)
        .map(({ segment }) => segment);
    const characters = fc.constantFrom(...Array.from("abcxyz019éøпавΩ .,;'-!?()"), "مرحبا", "한", "हि");
    fc.assert(
      fc.property(fc.array(characters, { maxLength: 30 }), (parts) => {
        // Possessives and elisions are the differences.
        const folded = fold(parts.join("")).replaceAll("s", "z").replaceAll("c", "k");
        expect(tokenize(folded)).toEqual(wordsOf(folded));
      }),
      { numRuns: repeats(1000) },
    );
  });
});

describe("fold", () => {
  it.each([
    ["CAFÉ", "cafe"],
    ["ｋｅｓｔｒｅｌ", "kestrel"],
    ["STRASSE", "strasse"],
    ["straße", "strasse"],
    ["ΌΣΟΣ", "οσοσ"],
    ["İIıi", "iiii"],
    ["Łódź", "lodz"],
    ["cœur", "coeur"],
    ["ｶﾞ", "ガ"],
    ["kes\u00ADtrel\uFEFF", "kestrel"],
    ["مُحَمَّد", "محمد"],
  ])("turns %s into %s", (text, folded) => {
    expect(fold(text)).toBe(folded);
  });

  it("keeps marks that distinguish words", () => {
    expect(fold("が")).not.toBe(fold("か"));
    expect(fold("ที่")).not.toBe(fold("ท"));
  });

  it("does not depend on case or composition, and changes nothing the second time", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const folded = fold(text);
        expect(fold(folded)).toBe(folded);
        expect(fold(text.normalize("NFD"))).toBe(folded);
        fc.pre(!/[™℠]/u.test(text));
        expect(fold(text.normalize("NFKC"))).toBe(folded);
      }),
      { numRuns: repeats(2000) },
    );
  });
});
