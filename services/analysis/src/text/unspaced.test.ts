import { describe, expect, it } from "vitest";
import { tokenize } from "./tokenizer.js";
import { cutUnspaced } from "./unspaced.js";

const words = (text: string): string[] => cutUnspaced(tokenize(text)).map((token) => token.text);

describe("cutUnspaced", () => {
  it.each([
    ["我昨天在北京大学见到了老师。", "老师"],
    ["東京タワーはとても高いです", "高い"],
    ["ฉันรักประเทศไทยมาก", "ประเทศไทย"],
  ])("cuts %s into words", (text, word) => {
    expect(words(text)).toContain(word);
    expect(words(text).length).toBeGreaterThan(2);
    expect(words(text).join("")).toBe(text);
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
