import { describe, expect, it } from "vitest";
import type { Box, PlacedBox } from "../types.js";
import { distinctDetections, type Instance, mergeOverTime } from "./detections.js";

const at = (atMs: number, ...detections: [value: string, prob: number, boxes?: PlacedBox[]][]) => ({
  atMs,
  untilMs: atMs + 2000,
  detections: detections.map(([value, prob, boxes]) => ({
    value,
    prob,
    ...(boxes && { count: boxes.length, boxes }),
  })),
});

const boxed = (left: number, top: number, width: number, height: number): Box => ({ left, top, width, height });

describe("the places of a label", () => {
  const placesOf = (...boxes: Box[]) => distinctDetections(boxes.map((box) => ({ value: "cat", prob: 0.5, box })))[0];

  it("are those of all its instances, the surest first", () => {
    const seen: Instance[] = [
      { value: "cat", prob: 0.61234, box: boxed(0.1, 0.2, 0.3, 0.4) },
      { value: "dog", prob: 0.7, box: boxed(0, 0, 0.1, 0.1) },
      { value: "cat", prob: 0.9, box: boxed(0.5, 0.2, 0.25, 0.33333) },
    ];
    expect(distinctDetections(seen)).toEqual([
      {
        value: "cat",
        prob: 0.9,
        count: 2,
        boxes: [
          [0.5, 0.2, 0.25, 0.3333, 0.9],
          [0.1, 0.2, 0.3, 0.4, 0.6123],
        ],
      },
      { value: "dog", prob: 0.7, count: 1, boxes: [[0, 0, 0.1, 0.1, 0.7]] },
    ]);
  });

  it("are absent where nobody knows them", () => {
    expect(distinctDetections([{ value: "swimming", prob: 0.5 }])).toEqual([{ value: "swimming", prob: 0.5 }]);
  });

  it("end at the edges of the picture", () => {
    expect(placesOf(boxed(-0.2, -0.1, 1.4, 1.3))?.boxes).toEqual([[0, 0, 1, 1, 0.5]]);
    expect(placesOf(boxed(0.9, 0.95, 0.3, 0.3))?.boxes).toEqual([[0.9, 0.95, 0.1, 0.05, 0.5]]);
  });

  it("are never empty, however small the thing is", () => {
    expect(placesOf(boxed(0.5, 0.99999, 0.000001, 0.000001))?.boxes).toEqual([[0.5, 0.9999, 0.0001, 0.0001, 0.5]]);
  });

  it("are none outside the picture, without extent, or that are no numbers", () => {
    const beyond = [boxed(1.1, 0, 0.1, 0.1), boxed(-0.2, 0, 0.1, 0.1), boxed(0, 0, 0, 0.1), boxed(0, 0, 0.1, -0.1)];
    const wrong = [boxed(NaN, 0, 0.1, 0.1), boxed(0, 0, 0.1, NaN), boxed(-Infinity, 0, Infinity, 1)];
    expect(placesOf(...beyond, ...wrong)).toEqual({ value: "cat", prob: 0.5 });
  });

  it("count a thing once that was found twice, and two that overlap twice", () => {
    const [one, nearlyTheSame, other] = [
      boxed(0.1, 0.1, 0.4, 0.4),
      boxed(0.11, 0.1, 0.4, 0.4),
      boxed(0.3, 0.1, 0.4, 0.4),
    ];
    expect(placesOf(one, nearlyTheSame)?.count).toBe(1);
    expect(placesOf(one, other)?.count).toBe(2);
  });

  it("are bounded for a crowd, whose number is still told", () => {
    const crowd = Array.from({ length: 150 }, (_, i) => ({
      value: "person",
      prob: 0.5 + i / 1000,
      box: boxed((i % 15) / 15, Math.floor(i / 15) / 10, 0.05, 0.05),
    }));
    const [people] = distinctDetections(crowd);
    expect(people?.count).toBe(150);
    expect(people?.boxes).toHaveLength(100);
    expect(people?.boxes?.at(-1)?.[4]).toBe(0.55);
  });
});

const LEFT: PlacedBox = [0, 0, 0.2, 0.2, 0.9];
const RIGHT: PlacedBox = [0.7, 0, 0.2, 0.2, 0.6];

describe("a moment", () => {
  it("has the places of the frame that shows most, with its time", () => {
    const frames = [at(0, ["cat", 0.9, [LEFT]]), at(2040, ["cat", 0.6, [RIGHT, LEFT]]), at(4000, ["cat", 0.9, [LEFT]])];
    expect(mergeOverTime(frames)[0]?.moments).toEqual([{ start: 0, end: 6, at: 2.04, count: 2, boxes: [RIGHT, LEFT] }]);
  });

  it("has those of the surest of frames that show as many, and of the first of equals", () => {
    const frames = [at(0, ["cat", 0.6, [RIGHT]]), at(2000, ["cat", 0.9, [LEFT]]), at(4000, ["cat", 0.9, [RIGHT]])];
    expect(mergeOverTime(frames)[0]?.moments?.[0]).toMatchObject({ at: 2, boxes: [LEFT] });
  });

  it("has its own, apart from those of other moments", () => {
    const frames = [at(0, ["cat", 0.9, [LEFT]]), at(2000), at(4000), at(6000, ["cat", 0.6, [RIGHT]])];
    const [cat] = mergeOverTime(frames);
    expect(cat?.moments).toMatchObject([
      { at: 0, boxes: [LEFT] },
      { at: 6, boxes: [RIGHT] },
    ]);
    expect(cat).not.toHaveProperty("boxes");
  });

  it("has fewer boxes where there are many moments, but never none", () => {
    const crowd = Array.from({ length: 90 }, (_, i): PlacedBox => [i / 100, 0, 0.01, 0.01, 0.5]);
    const countsOf = (moments: number) => {
      const frames = Array.from({ length: moments }, (_, i) => at(i * 6000, ["person", 0.5, crowd]));
      return mergeOverTime(frames)[0]?.moments?.map(({ boxes, count }) => [count, boxes?.length]);
    };
    expect(countsOf(2)).toEqual([
      [90, 90],
      [90, 90],
    ]);
    expect(countsOf(20)?.[7]).toEqual([90, 25]);
    expect(countsOf(600)?.[7]).toEqual([90, 1]);
  });
});

it("names each value once, the surest first", () => {
  const merged = mergeOverTime([at(0, ["cat", 0.5], ["dog", 0.7], ["dog", 0.6]), at(2000, ["cat", 0.9])]);
  expect(merged.map(({ value }) => value)).toEqual(["cat", "dog"]);
});

it("joins frames that follow each other, also over one in which the thing was lost", () => {
  const frames = [at(0, ["cat", 0.9]), at(2000, ["cat", 0.8]), at(4000), at(6000, ["cat", 0.9])];
  expect(mergeOverTime(frames)[0]?.moments).toEqual([{ start: 0, end: 8 }]);
});

it("keeps moments apart between which something else was shown", () => {
  const frames = [at(0, ["cat", 0.9]), at(2000), at(4000), at(6040, ["cat", 0.9])];
  expect(mergeOverTime(frames)[0]?.moments).toEqual([
    { start: 0, end: 2 },
    { start: 6, end: 8 },
  ]);
});

it("takes the word of the best frame when others confirm it", () => {
  const frames = [at(0, ["cat", 0.6]), at(2000, ["cat", 0.9]), at(4000, ["cat", 0.5]), at(6000)];
  expect(mergeOverTime(frames)[0]?.prob).toBe(0.9);
});

it("doubts what one frame of many shows, a guess more than what is almost sure", () => {
  const frames = [at(0, ["guess", 0.5], ["sure", 0.98]), at(2000), at(4000), at(6000)];
  const [sure, guess] = mergeOverTime(frames);
  expect(sure?.prob).toBeGreaterThan(0.95);
  expect(guess?.prob).toBeLessThan(0.35);
});

it("does not doubt the only frame there is", () => {
  expect(mergeOverTime([at(0, ["cat", 0.5])])).toEqual([{ value: "cat", prob: 0.5, moments: [{ start: 0, end: 2 }] }]);
});

it("has nothing to say of nothing", () => {
  expect(mergeOverTime([])).toEqual([]);
});
