import { describe, expect, it } from "vitest";
import type { Box } from "../types.js";
import { hidesLargeFace, toLikelyFaces } from "./faces.js";
import type { ObjectLabel, RawObject } from "./objects.js";

const face: Box = { left: 0.4, top: 0.2, width: 0.2, height: 0.2 };
const body: Box = { left: 0.3, top: 0.1, width: 0.4, height: 0.9 };
const there = (label: ObjectLabel, score: number, box = body): RawObject => ({ label, score, box });
const probOf = (score: number, near: RawObject[], far = near): number | undefined =>
  toLikelyFaces([{ score, box: face }], { near, far })[0]?.prob;

describe("toLikelyFaces", () => {
  it("believes in a face on a person", () => {
    expect(probOf(0.9, [there("person", 0.7)])).toBeGreaterThan(0.98);
  });

  it("does not believe in a face on a known animal, however sure its detector is", () => {
    expect(probOf(1, [there("dog", 0.8)])).toBeUndefined();
  });

  it("does not believe in a face on what may be any of several animals as well as a person", () => {
    const guesses = (["dog", "cow", "bear", "horse"] as const).map((label) => there(label, 0.25));
    expect(probOf(0.9, [there("person", 0.3), ...guesses])).toBeUndefined();
  });

  it("believes in a person beside an animal", () => {
    const dog = there("dog", 0.9, { left: 0.05, top: 0.5, width: 0.3, height: 0.5 });
    expect(probOf(0.9, [there("person", 0.7), dog])).toBeGreaterThan(0.98);
  });

  it("does not believe in a face where there is nobody", () => {
    expect(probOf(0.8, [there("clock", 0.8)])).toBeUndefined();
  });

  it("puts the likeliest first", () => {
    const other = { score: 0.6, box: { ...face, left: 0.45 } };
    const faces = toLikelyFaces([other, { score: 0.9, box: face }], {
      near: [there("person", 0.8)],
      far: [there("person", 0.8)],
    });
    expect(faces.map(({ box }) => box)).toEqual([face, other.box]);
  });
});

describe("hidesLargeFace", () => {
  const person = { label: "person", prob: 0.97, box: { left: 0, top: 0, width: 1, height: 0.9 } } as const;

  it("is so where a person fills the picture, and no face was found", () => {
    expect(hidesLargeFace([person], [])).toBe(true);
    expect(hidesLargeFace([person], [{ prob: 0.9, box: face }])).toBe(false);
    expect(hidesLargeFace([{ ...person, box: body }], [])).toBe(false);
    expect(hidesLargeFace([{ ...person, label: "dog" }], [])).toBe(false);
  });
});
