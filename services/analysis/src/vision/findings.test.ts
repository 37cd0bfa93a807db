import { describe, expect, it } from "vitest";
import type { Box } from "../types.js";
import { findingsFrom } from "./findings.js";
import { kindWords } from "./kind-words.js";
import { type Kinds, kindsFrom } from "./kinds.js";
import type { ObjectLabel, ObjectSighting } from "./objects.js";

const small: Box = { left: 0.1, top: 0.1, width: 0.3, height: 0.3 };
const large: Box = { left: 0.1, top: 0.1, width: 0.7, height: 0.7 };
const seen = (label: ObjectLabel, prob: number, box = small): ObjectSighting => ({ label, prob, box });

/** The classifier's view of a picture by the scores of some words of the shipped list, without our own words. */
const scored = (scores: Readonly<Record<string, number>>): Kinds => {
  const rest = 1 - Object.values(scores).reduce((sum, score) => sum + score, 0);
  const logits = new Float32Array(1_000).fill(-20);
  const listed = new Set(kindWords().flatMap(({ classes }) => classes));
  logits[[...logits.keys()].find((at) => !listed.has(at))!] = Math.log(rest);
  for (const { word, classes } of kindWords()) {
    if (word !== undefined && scores[word] !== undefined) logits[classes[0]!] = Math.log(scores[word]);
  }
  return { ...kindsFrom(logits, kindWords()), own: [] };
};

const labels = (objects: readonly ObjectSighting[], scores: Readonly<Record<string, number>>): string[] =>
  findingsFrom(objects, scored(scores)).objects.map(({ label }) => label);

const named = (scores: Readonly<Record<string, number>>, objects: readonly ObjectSighting[] = []): string | undefined =>
  findingsFrom(objects, scored(scores)).kind?.name;

describe("the words of the classifier", () => {
  it("have each class at most once", () => {
    const classes = kindWords().flatMap((row) => row.classes);
    expect(classes.filter((at) => !Number.isInteger(at) || at < 0 || at > 999)).toEqual([]);
    expect(new Set(classes).size).toBe(classes.length);
  });
});

describe("what a picture shows as a whole", () => {
  it("is named by the likeliest word", () => {
    expect(named({ gorilla: 0.5, monkey: 0.3 })).toBe("gorilla");
  });

  it("is named by the narrowest group whose words are likely only together", () => {
    expect(named({ lion: 0.25, cheetah: 0.25, dog: 0.2 })).toBe("big cat");
  });

  it("is not named on a guess", () => {
    expect(named({ spatula: 0.45 })).toBeUndefined();
    expect(named({})).toBeUndefined();
  });

  it("is what people wear only if that is sure", () => {
    const person = [seen("person", 0.95)];
    expect(named({ "bow tie": 0.55 }, person)).toBeUndefined();
    expect(named({ "bow tie": 0.8 }, person)).toBe("bow tie");
  });

  it("is likelier with a higher score", () => {
    const [low, high] = [0.4, 0.8].map((gorilla) => findingsFrom([], scored({ gorilla })).kind!.prob);
    expect(low).toBeLessThan(high!);
    expect(high).toBeLessThan(1);
  });

  it("is one of our own words where the classifier has none", () => {
    const flower = { ...scored({ bee: 0.2 }), own: [{ word: "flower", prob: 0.9 }] };
    expect(findingsFrom([], flower).kind).toMatchObject({ name: "flower", prob: 0.9 });
    expect(findingsFrom([seen("person", 0.95)], flower).kind).toBeUndefined();
    const castle = { ...scored({ castle: 0.8 }), own: [{ word: "building", prob: 0.9 }] };
    expect(findingsFrom([], castle).kind?.name).toBe("castle");
  });

  it("is a drawing before it is what the drawing looks like", () => {
    const drawing = { ...scored({ owl: 0.9 }), own: [{ word: "drawing", prob: 0.7 }] };
    expect(findingsFrom([], drawing).kind?.name).toBe("drawing");
  });

  it("is no mere animal where the detector found a giraffe", () => {
    expect(named({ antelope: 0.25, ostrich: 0.25, llama: 0.25 }, [seen("giraffe", 0.9)])).toBeUndefined();
  });
});

describe("objects that the picture as a whole contradicts", () => {
  it("lose the name of a neighbor", () => {
    expect(labels([seen("bear", 0.95)], { "red panda": 0.7 })).toEqual([]);
    expect(labels([seen("bear", 0.95)], { bear: 0.7 })).toEqual(["bear"]);
  });

  it("are doubtful animals where no animal is likely", () => {
    expect(labels([seen("bird", 0.7)], { building: 0.1 })).toEqual([]);
    expect(labels([seen("bird", 0.95)], {})).toEqual(["bird"]);
  });

  it("are people made of animals, but not those who hold one", () => {
    expect(labels([seen("person", 0.8)], { dog: 0.8 })).toEqual([]);
    expect(labels([seen("person", 0.97)], { dog: 0.8 })).toEqual(["person"]);
  });

  it("are doubtful things that it does not speak for", () => {
    expect(labels([seen("toilet", 0.65)], {})).toEqual([]);
    expect(labels([seen("toilet", 0.65)], { toilet: 0.3 })).toEqual(["toilet"]);
    expect(labels([seen("chair", 0.75)], {})).toEqual(["chair"]);
  });

  it("are things that fill the picture, unless the classifier has no class for them", () => {
    expect(labels([seen("vase", 0.9, large)], { flower: 0.6 })).toEqual([]);
    expect(labels([seen("vase", 0.9)], { flower: 0.6 })).toEqual(["vase"]);
    expect(labels([seen("scissors", 0.9, large)], {})).toEqual(["scissors"]);
    expect(labels([seen("bicycle", 0.86, large)], { dog: 0.45 })).toEqual(["bicycle"]);
    expect(labels([seen("stop sign", 0.96, large)], { "street sign": 0.1 })).toEqual([]);
    expect(labels([seen("stop sign", 0.96, large)], { "street sign": 0.6 })).toEqual(["stop sign"]);
  });

  it("are doubtful where they are the likeliest of their kind, but not beside a likelier one", () => {
    expect(labels([seen("cat", 0.55)], { cat: 0.25 })).toEqual([]);
    expect(labels([seen("cat", 0.55)], { cat: 0.4 })).toEqual(["cat"]);
    expect(labels([seen("person", 0.6)], {})).toEqual([]);
    expect(labels([seen("person", 0.9), seen("person", 0.6)], {})).toEqual(["person", "person"]);
  });

  it("are flat and round things without what is usually beside them", () => {
    expect(labels([seen("frisbee", 0.9)], { valley: 0.5 })).toEqual([]);
    expect(labels([seen("person", 0.9), seen("frisbee", 0.9)], {})).toEqual(["person", "frisbee"]);
  });

  it("are not a giraffe, which the classifier has no class for", () => {
    expect(labels([seen("giraffe", 0.65)], { antelope: 0.3, llama: 0.3 })).toEqual(["giraffe"]);
  });
});
