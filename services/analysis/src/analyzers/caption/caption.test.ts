import { describe, expect, it } from "vitest";
import type { PrintedLine } from "../../types.js";
import type { ObjectLabel } from "../../vision/objects.js";
import { KEYPOINTS } from "../../vision/poses.js";
import type { Scene, SeenFace } from "../../vision/scene.js";
import { figure } from "../../vision/testing/figure.js";
import { ingredientsOf } from "./ingredients.js";
import { sentenceOf } from "./sentence.js";
import { captionOfVideo } from "./video-scenes.js";

/** An object and its box; the probability is 0.8 if none is given. */
type Placed = readonly [label: ObjectLabel, left: number, top: number, width: number, height: number, prob?: number];

/** A picture with these objects and faces. */
const scene = (things: readonly Placed[], faces: readonly SeenFace[] = []): Scene => ({
  aspect: 1.5,
  height: 800,
  objects: things.map(([label, left, top, width, height, prob = 0.8]) => ({
    label,
    prob,
    box: { left, top, width, height },
  })),
  faces,
  poses: [],
});

/** So many people side by side. */
const people = (count: number): Placed[] =>
  Array.from({ length: count }, (_, i) => ["person", (i * 0.9) / count, 0.2, 0.8 / count, 0.7]);

const caption = (
  things: readonly Placed[],
  faces: readonly SeenFace[] = [],
  lines: readonly PrintedLine[] = [],
): string | undefined => sentenceOf(ingredientsOf(scene(things, faces), lines));

const face = (left: number, traits: Partial<SeenFace> = {}): SeenFace => ({
  prob: 0.97,
  box: { left, top: 0.2, width: 0.08, height: 0.1 },
  age: 35,
  gender: "female",
  genderProb: 0.99,
  expression: "neutral",
  expressionProb: 0.99,
  ...traits,
});

const sign = (text: string, prob = 0.99): PrintedLine => ({
  text,
  prob,
  box: { left: 0.3, top: 0.3, width: 0.3, height: 0.08 },
});

describe("counting", () => {
  it.each<[string, Placed[]]>([
    ["a person", people(1)],
    ["three people", people(3)],
    ["a group of people", people(9)],
    ["a crowd of people", people(40)],
    [
      "two sheep",
      [
        ["sheep", 0.1, 0.3, 0.3, 0.3, 0.9],
        ["sheep", 0.6, 0.3, 0.3, 0.3, 0.9],
      ],
    ],
    [
      "two buses",
      [
        ["bus", 0, 0.3, 0.4, 0.4, 0.9],
        ["bus", 0.5, 0.3, 0.4, 0.4, 0.9],
      ],
    ],
    ["an elephant", [["elephant", 0.2, 0.2, 0.6, 0.7, 0.9]]],
    [
      "two knives and a pair of scissors",
      [
        ["knife", 0, 0.3, 0.3, 0.4],
        ["knife", 0.35, 0.3, 0.3, 0.4],
        ["scissors", 0.7, 0.3, 0.2, 0.2],
      ],
    ],
    ["several cups", Array.from({ length: 8 }, (_, i): Placed => ["cup", i / 10, 0.5, 0.08, 0.1])],
  ])("says %s", (words, things) => expect(caption(things)).toBe(words));

  it.each<[string, Placed[]]>([
    [
      "a chair",
      [
        ["chair", 0, 0.3, 0.3, 0.4, 0.8],
        ["chair", 0.6, 0.3, 0.3, 0.4, 0.55],
      ],
    ],
    [
      "chairs",
      [
        ["chair", 0, 0.3, 0.3, 0.4, 0.8],
        ["chair", 0.6, 0.3, 0.3, 0.4, 0.8],
        ["chair", 0.3, 0.3, 0.3, 0.4, 0.55],
      ],
    ],
    [
      "several cars",
      [...Array.from({ length: 4 }, (_, i): Placed => ["car", i / 5, 0.5, 0.18, 0.2]), ["car", 0.9, 0.5, 0.02, 0.02]],
    ],
    ["several people", [...people(4), ["person", 0.95, 0.2, 0.05, 0.5, 0.6]]],
    ["a person", [...people(1), ["person", 0.95, 0.2, 0.02, 0.04]]],
  ])("says %s where the number is not sure", (words, things) => expect(caption(things)).toBe(words));

  it("counts people by their faces when bodies are hidden", () => {
    expect(caption(people(1), [face(0.3, { genderProb: 0.6 }), face(0.85)])).toBe("two people");
  });
});

describe("who is there", () => {
  it("takes no hand for a person", () => {
    const [person] = people(1);
    const { objects, ...rest } = scene([person!]);
    const hand = { ...figure({}, KEYPOINTS), box: objects[0]!.box };
    expect(sentenceOf(ingredientsOf({ ...rest, objects, poses: [hand] }, []))).toBeUndefined();
  });

  it("gives each face to the body it is on before it counts others", () => {
    const bodies: Placed[] = [
      ["person", 0.1, 0.15, 0.3, 0.8],
      ["person", 0.3, 0.15, 0.3, 0.8],
    ];
    expect(caption(bodies, [face(0.31), face(0.2), face(0.41)])).toBe("people");
    expect(caption(bodies, [face(0.41), face(0.21)])).toBe("two women");
  });

  it("tells woman and man only when the face leaves little doubt", () => {
    expect(caption(people(1), [face(0.3)])).toBe("a woman");
    expect(caption(people(1), [face(0.3, { genderProb: 0.9 })])).toBe("a person");
    expect(caption(people(2), [face(0.2), face(0.6, { gender: "male" })])).toBe("a man and a woman");
  });

  it("tells no one's sex by a face of few pixels", () => {
    expect(sentenceOf(ingredientsOf({ ...scene(people(1), [face(0.3)]), height: 240 }, []))).toBe("a person");
  });

  it("tells no one's sex who may be a child", () => {
    expect(caption(people(1), [face(0.3, { age: 17 })])).toBe("a person");
  });

  it("tells a smile when everyone smiles", () => {
    const happy = { expression: "happy", expressionProb: 0.99 } as const;
    expect(caption(people(1), [face(0.3, happy)])).toBe("a smiling woman");
    expect(caption(people(2), [face(0.2, happy), face(0.6)])).toBe("two women");
  });
});

describe("where things are", () => {
  const couch: Placed = ["couch", 0.1, 0.4, 0.8, 0.5];

  it("puts a cat on a couch when its box says so", () => {
    expect(caption([couch, ["cat", 0.4, 0.45, 0.2, 0.25, 0.9]])).toBe("a cat on a couch");
    expect(
      caption([
        ["couch", 0.05, 0.4, 0.4, 0.5],
        ["cat", 0.7, 0.7, 0.2, 0.25, 0.9],
      ]),
    ).toBe("a couch and a cat");
  });

  it("puts people on a bench with their dog beside it", () => {
    const things: Placed[] = [
      ["bench", 0.1, 0.5, 0.7, 0.4],
      ["person", 0.2, 0.3, 0.2, 0.5],
      ["person", 0.5, 0.3, 0.2, 0.5],
      ["dog", 0.85, 0.7, 0.14, 0.2, 0.9],
    ];
    expect(caption(things)).toBe("two people on a bench with a dog");
  });

  it("puts a person in front of a bus only when the feet are nearer than the wheels", () => {
    const bus: Placed = ["bus", 0.1, 0.1, 0.8, 0.7, 0.9];
    expect(caption([bus, ["person", 0.4, 0.4, 0.1, 0.45]])).toBe("a person in front of a bus");
    expect(caption([bus, ["person", 0.92, 0.4, 0.08, 0.3]])).toBe("a person and a bus");
  });
});

describe("animals", () => {
  it("are named only when the detector is very sure, since it knows ten kinds", () => {
    expect(caption([["cat", 0.3, 0.3, 0.4, 0.4, 0.9]])).toBe("a cat");
    expect(caption([["cat", 0.3, 0.3, 0.4, 0.4, 0.76]])).toBe("an animal");
    expect(caption([["bear", 0.3, 0.3, 0.4, 0.4, 0.95]])).toBe("an animal");
  });

  it("of a herd are not counted as few", () => {
    const herd = Array.from({ length: 9 }, (_, i): Placed => [
      "elephant",
      i / 10,
      0.4,
      0.09,
      0.2,
      i === 0 ? 0.9 : 0.55,
    ]);
    expect(caption(herd)).toBe("several elephants");
  });
});

it("calls a vehicle that may be another one just that", () => {
  expect(caption([["truck", 0.3, 0.3, 0.4, 0.4, 0.95]])).toBe("a truck");
  expect(caption([["truck", 0.3, 0.3, 0.4, 0.4, 0.8]])).toBe("a vehicle");
});

it("believes in fruit only when the detector is very sure", () => {
  expect(caption([["banana", 0.3, 0.3, 0.4, 0.4, 0.95]])).toBe("a banana");
  expect(caption([["banana", 0.3, 0.3, 0.4, 0.4, 0.8]])).toBeUndefined();
});

describe("what a picture shows as a whole", () => {
  const whole = (
    name: string,
    groups: readonly string[],
    things: readonly Placed[] = [],
    lines: readonly PrintedLine[] = [],
  ): string | undefined => sentenceOf(ingredientsOf({ ...scene(things), kind: { name, prob: 0.95, groups } }, lines));

  it("is said where the detector finds nothing", () => {
    expect(whole("gorilla", ["ape", "animal"])).toBe("a gorilla");
    expect(whole("owl", ["bird", "animal"])).toBe("an owl");
    expect(whole("food", [])).toBe("food");
  });

  it("gives the detector's things their finer name, and keeps their number", () => {
    const birds: Placed[] = [
      ["bird", 0.1, 0.3, 0.3, 0.4, 0.9],
      ["bird", 0.5, 0.3, 0.3, 0.4, 0.9],
    ];
    expect(whole("owl", ["bird", "animal"], birds)).toBe("two owls");
  });

  it("names an animal that the detector is not sure of", () => {
    expect(whole("bison", ["cattle", "animal"], [["cow", 0.3, 0.3, 0.4, 0.4, 0.8]])).toBe("a bison");
    expect(whole("cat", ["animal"], [["cat", 0.3, 0.3, 0.4, 0.4, 0.56]])).toBe("a cat");
  });

  it("is what somebody has, or the place of people who are small in it", () => {
    expect(whole("guitar", ["string instrument", "musical instrument"], people(1))).toBe("a person with a guitar");
    expect(whole("castle", ["building"], [["person", 0.4, 0.5, 0.1, 0.3]])).toBe("a castle and a person");
  });

  it("is not said twice", () => {
    expect(whole("dog", ["animal"], [["dog", 0.3, 0.3, 0.4, 0.4, 0.9]])).toBe("a dog");
    expect(whole("vehicle", [], [["car", 0.3, 0.3, 0.4, 0.4, 0.9]])).toContain("a car");
  });

  it("has the title of a chart", () => {
    const lines = ["120", "80", "40", "Jan", "Feb", "Mar"].map((text) => sign(text));
    const title: PrintedLine = { ...sign("Monthly sales"), box: { left: 0.2, top: 0.1, width: 0.5, height: 0.12 } };
    expect(whole("computer graphic", [], [], [...lines, title])).toBe(
      'a computer graphic, and the words "Monthly sales"',
    );
    expect(whole("computer graphic", [], [], lines)).toBe("a computer graphic");
    expect(whole("chart", [], people(1), [...lines, title])).toBe('a chart, and the words "Monthly sales"');
  });

  it("is a screenshot of a post where what stands beside posts is read", () => {
    const post = ["Anna Keller @annak", "The new tram is great", "12 Reposts 340 Likes"].map((text) => sign(text));
    expect(whole("screenshot", [], people(1), post)).toContain("a screenshot of a post");
    const settings = ["Settings", "Language", "Shares of disk"].map((text) => sign(text));
    expect(whole("screenshot", [], [], settings)).not.toContain("post");
  });
});

it("gives no number of people who are small", () => {
  const crowd = Array.from({ length: 4 }, (_, i): Placed => ["person", i / 5, 0.5, 0.05, 0.2, 0.9]);
  expect(caption(crowd)).toBe("several people");
});

describe("print", () => {
  it("tells large and short print", () => {
    expect(caption([["car", 0.1, 0.5, 0.5, 0.4]], [], [sign("Main Street")])).toBe(
      'a car, and the words "Main Street"',
    );
  });

  it("tells no print that is doubtful", () => {
    expect(caption([], [], [sign("Maln Streel", 0.85)])).toBeUndefined();
  });

  it.each(["www.example.org", "© Jo Bloggs", "Copyright 2009"])("tells nothing of who owns the picture: %s", (text) =>
    expect(caption([], [], [sign(text)])).toBeUndefined(),
  );

  it("tells no small print at the edge", () => {
    const edge = { ...sign("Jo Bloggs"), box: { left: 0.7, top: 0.93, width: 0.25, height: 0.05 } };
    expect(caption([], [], [edge])).toBeUndefined();
  });

  it("does not say twice what a stop sign reads", () => {
    expect(caption([["stop sign", 0.3, 0.2, 0.3, 0.4]], [], [sign("STOP")])).toBe("a stop sign");
  });
});

it("says nothing when nothing is sure", () => {
  expect(caption([["dog", 0.3, 0.3, 0.4, 0.4, 0.42]])).toBeUndefined();
});

describe("videos", () => {
  const shown = (
    seconds: number,
    things: readonly Placed[],
    afterCut = false,
  ): Parameters<typeof captionOfVideo>[0][number] => ({
    atMs: seconds * 1000,
    afterCut,
    ingredients: ingredientsOf(scene(things), []),
  });
  const dog: Placed = ["dog", 0.3, 0.3, 0.4, 0.5, 0.9];
  const bus: Placed = ["bus", 0.1, 0.1, 0.8, 0.7, 0.9];

  it("describes each scene once, with the median of its numbers", () => {
    const frames = [shown(0, people(3)), shown(2, people(4)), shown(4, people(3)), shown(6, [bus]), shown(8, [bus])];
    expect(captionOfVideo(frames, 10_400)).toEqual({
      duration: "00:00:10",
      descriptions: [
        { timestamp: "00:00:00", description: "three people" },
        { timestamp: "00:00:06", description: "a bus" },
      ],
    });
  });

  it("leaves out what only one of many frames shows, and scenes without anything", () => {
    const frames = [shown(0, [dog]), shown(2, [dog, bus]), shown(4, [dog]), shown(6, []), shown(3_700, [bus])];
    expect(captionOfVideo(frames, 3_725_000)).toEqual({
      duration: "01:02:05",
      descriptions: [
        { timestamp: "00:00:00", description: "a dog" },
        { timestamp: "01:01:40", description: "a bus" },
      ],
    });
  });

  it("begins a scene at a cut, however much both sides share, and tells of each side what it shows", () => {
    const person = people(1);
    const frames = [shown(0, person), shown(2, person), shown(4, [...person, bus], true), shown(6, [...person, bus])];
    expect(captionOfVideo(frames, 8000).descriptions).toEqual([
      { timestamp: "00:00:00", description: "a person" },
      { timestamp: "00:00:04", description: expect.stringContaining("bus") as string },
    ]);
  });

  it("begins a scene where something comes or goes and stays so, without a cut", () => {
    const frames = [[dog], [dog], [dog, bus], [dog, bus], [dog, bus], [dog], [dog]].map((things, i) =>
      shown(i * 2, things),
    );
    expect(captionOfVideo(frames, 14_000).descriptions).toEqual([
      { timestamp: "00:00:00", description: "a dog" },
      { timestamp: "00:00:04", description: expect.stringContaining("bus") as string },
      { timestamp: "00:00:10", description: "a dog" },
    ]);
  });

  it("tells of two frames only what both show", () => {
    expect(captionOfVideo([shown(0, [dog]), shown(2, [dog, bus])], 4000).descriptions).toEqual([
      { timestamp: "00:00:00", description: "a dog" },
    ]);
  });

  it("keeps to sixty scenes", () => {
    const frames = Array.from({ length: 200 }, (_, i) => shown(i * 2, [i % 2 === 0 ? dog : bus]));
    expect(captionOfVideo(frames, 400_000).descriptions).toHaveLength(60);
  });
});
