import { describe, expect, it } from "vitest";
import { createDocument } from "../document.js";
import { BUCKETS } from "./buckets.js";
import { chunks, DENSE_FEATURES, type Features, featuresOf, featurize } from "./features.js";

const dense = (text: string, name: string): number => {
  const { buckets, values } = featurize(text);
  return values[buckets.indexOf(BUCKETS + DENSE_FEATURES.indexOf(name))] ?? 0;
};

const sizeOf = ({ buckets, values }: Features): number =>
  Math.sqrt(values.reduce((sum, value, i) => sum + ((buckets[i] ?? 0) < BUCKETS ? value * value : 0), 0));

describe("featurize", () => {
  it("gives the same features for the same text", () => {
    expect(featurize("Not bad at all :-)")).toEqual(featurize("Not bad at all :-)"));
  });

  it("has the same length however long the post is", () => {
    expect(sizeOf(featurize("good"))).toBeCloseTo(sizeOf(featurize("a rather good and somewhat longer post")), 5);
  });

  it("tells polarity, and turns it around under a negation", () => {
    expect(dense("a good day", "vader")).toBeGreaterThan(0.2);
    expect(dense("not a good day", "vader")).toBeLessThan(0);
    expect(dense("an AWFUL day", "vader")).toBeLessThan(dense("an awful day", "vader"));
    expect(dense("the day", "vader-none")).toBe(1);
  });

  it("counts what stands out", () => {
    expect(dense("WIN £1000 NOW!!! http://x.co", "urls")).toBeGreaterThan(0);
    expect(dense("WIN £1000 NOW!!!", "money")).toBeGreaterThan(0);
    expect(dense("is it?", "ends-with-question")).toBe(1);
  });

  it.each([
    ["no spaces", "a".repeat(20_000)],
    ["only marks", "=(!?".repeat(5_000)],
    ["lone surrogates", "\ud800".repeat(20_000)],
    ["almost addresses", "a.b-c@d.".repeat(2_500)],
    ["almost tags", "<a <br ".repeat(2_800)],
    ["prose", "This is no good at all, my friend. ".repeat(570)],
  ])("reads 20,000 characters of %s into a bounded number of finite features", (_, text) => {
    const { buckets, values } = featurize(text);
    expect(buckets.length).toBe(values.length);
    expect(buckets.length).toBeLessThan(80_000);
    expect(values.every(Number.isFinite)).toBe(true);
  });

  it("is computed once per document", () => {
    const document = createDocument("once");
    expect(featuresOf(document)).toBe(featuresOf(document));
  });
});

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

  it("cuts no pair of surrogates", () => {
    const text = `x${"😀".repeat(400)}${" ".repeat(700)}${"a word. ".repeat(200)}`;
    for (const piece of chunks(text)) {
      expect(piece).not.toMatch(/^[\udc00-\udfff]|[\ud800-\udbff]$/);
    }
  });
});
