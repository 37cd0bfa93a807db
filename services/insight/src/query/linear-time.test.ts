import { fold } from "@hourglass/runtime/text";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { compile, Occurrences } from "./matcher.js";
import { parseQuery } from "./parser.js";
import type { CodeUnits } from "./unicode.js";
import { tokenize } from "./tokenizer.js";

/** A text that counts how many of its characters are read. */
class CountedText implements CodeUnits {
  reads = 0;

  constructor(readonly text: string) {}

  get length(): number {
    return this.text.length;
  }

  charCodeAt(index: number): number {
    this.reads += 1;
    return this.text.charCodeAt(index);
  }

  slice(start = 0, end = this.length): string {
    this.reads += end - start;
    return this.text.slice(start, end);
  }
}

const LENGTH = 2_000;
/** For each character: at the start of a word, whether it begins a web address; as word, tag and mention; and cut out. */
const READS_MAX = 20;

const letters = Array.from("abcdefghijklmnopqrstuvwxyz");
const repeated = (part: string): string => part.repeat(Math.floor(490 / part.length));

const QUERIES: Readonly<Record<string, string>> = {
  "250 words": repeated("a b "),
  "many alternatives": `a (${repeated("a OR ").slice(0, 480)}b)`,
  "a phrase that almost occurs everywhere": `"${repeated("a ")}b"`,
  "phrases inside each other": letters
    .slice(0, 16)
    .map((_, i) => `"${"a ".repeat(i)}b"`)
    .join(" OR "),
  "prefixes of each other": letters
    .slice(0, 18)
    .map((_, i) => `${"a".repeat(3 + i)}*`)
    .join(" OR "),
  "exclusions, tags and mentions": `a #a @a ${"-b -#c -@d ".repeat(40)}e`,
  "ten terms": letters
    .slice(0, 10)
    .map((letter) => `${letter} "a ${letter}" #${letter}`)
    .join(", "),
};

const PARTS = [
  ..."a|a |a_|_|__a |a.|a'|a'b|a,1|1,|a's |l'|l'a's|quoiqu'|#a|#|##a |@a|@a.|@a.-|@-|w|www.|http|https://|https://(|(a)|- ".split(
    "|",
  ),
  ..."東京|ア|한|สวัสดี|🔥|👩‍💻|🇪|e\u0301|ที่|ß|™a|\u200B".split("|"),
];

describe("matching", () => {
  it.each(Object.entries(QUERIES))("%s reads each character of any text a bounded number of times", (_, keywords) => {
    const query = compile(parseQuery(keywords));
    for (const part of PARTS) {
      const text = new CountedText(fold(part.repeat(LENGTH / part.length)));
      new Occurrences(query).read(text);
      expect(text.reads / Math.max(text.length, 1), `reads for each character of ${part}${part}…`).toBeLessThan(
        READS_MAX,
      );
    }
  });

  it("keeps few states for each word of a query", () => {
    for (const keywords of Object.values(QUERIES)) expect(compile(parseQuery(keywords)).slotCount).toBeLessThan(501);
  });

  it("gives Intl.Segmenter, whose time is quadratic, no long texts", () => {
    const segment = vi.spyOn(Intl.Segmenter.prototype, "segment");
    onTestFinished(() => segment.mockRestore());
    const sentence = "東京で地震がありました";
    const words = tokenize(sentence.repeat(1000));
    expect(words.join("")).toBe(sentence.repeat(1000));
    const lengths = segment.mock.calls.map(([text]) => text.length);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(1024);
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBeLessThan(1.1 * words.join("").length);
  });

  it("does not cut words where it divides a long text", () => {
    const sentence = "東京で地震がありました";
    const words = tokenize(sentence.repeat(300));
    expect(words.filter((word) => word === "地震")).toHaveLength(300);
    expect(words.filter((word) => word === "東京")).toHaveLength(300);
  });

  it("bounds the combining marks that normalization sorts", () => {
    const marks = "\u0E38\u0E48".repeat(10_000);
    expect(fold(`a${marks}`)).toHaveLength(31);
    expect(fold(`a${"\u0301\u0316".repeat(10_000)}`)).toBe("a");
  });
});
