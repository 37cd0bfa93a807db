import { describe, expect, it } from "vitest";
import { chunks } from "./chunks.js";

describe("chunks", () => {
  it("leaves a post whole", () => {
    expect(chunks("Short. Very short.")).toEqual(["Short. Very short."]);
    expect(chunks("")).toEqual([""]);
  });

  it("cuts a long text at sentence ends and loses nothing", () => {
    const text = "This sentence has some forty characters ok. ".repeat(100);
    const pieces = chunks(text);
    expect(pieces.join("").trim()).toBe(text.trim());
    for (const piece of pieces) expect(piece.trimEnd()).toMatch(/ok\.$/);
  });

  it("cuts text without any space or stop", () => {
    const pieces = chunks("x".repeat(20_000));
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(300);
    expect(pieces.join("")).toHaveLength(20_000);
  });
});
