import { describe, expect, it } from "vitest";
import { chunks } from "./chunks.js";

const texts = (text: string): string[] => chunks(text).map((chunk) => chunk.text);

describe("chunks", () => {
  it("leaves a post whole", () => {
    expect(texts("Short. Very short.")).toEqual(["Short. Very short."]);
    expect(texts("")).toEqual([""]);
  });

  it("cuts a long text at sentence ends and loses nothing", () => {
    const text = "This sentence has some forty characters ok. ".repeat(100);
    const pieces = texts(text);
    expect(pieces.join("").trim()).toBe(text.trim());
    for (const piece of pieces) expect(piece.trimEnd()).toMatch(/ok\.$/);
  });

  it("cuts text without any space or stop", () => {
    const pieces = texts("x".repeat(20_000));
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(300);
    expect(pieces.join("")).toHaveLength(20_000);
  });

  it("says where each piece begins, white space left out or not, and cuts no pair of surrogates", () => {
    const text = `x${"😀".repeat(400)}${" ".repeat(700)}${"a word. ".repeat(200)}`;
    for (const { text: piece, start } of chunks(text)) {
      expect(text.slice(start, start + piece.length)).toBe(piece);
      expect(piece).not.toMatch(/^[\udc00-\udfff]|[\ud800-\udbff]$/);
    }
  });
});
