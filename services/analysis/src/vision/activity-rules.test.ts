import { describe, expect, it } from "vitest";
import type { Box, Detection } from "../types.js";
import { ACTIVITIES } from "./activities.js";
import { recognizeActivities } from "./activity-rules.js";
import type { ObjectLabel } from "./objects.js";
import type { Pose } from "./poses.js";
import { figure, SQUATTING } from "./testing/figure.js";

type Things = Partial<Record<ObjectLabel, readonly [number, number, number, number]>>;

/** A person and surrounding things, each with its box as left, top, width, height. */
const detected = (pose: Pose, things: Things = {}, others: readonly Pose[] = []): Detection[] => {
  const objects = Object.entries(things).map(([label, [left, top, width, height]]) => {
    const box: Box = { left, top, width, height };
    return { label: label as ObjectLabel, prob: 0.8, box };
  });
  const poses = [pose, ...others];
  const people = poses.map(({ prob, box }) => ({ label: "person" as const, prob, box }));
  return recognizeActivities({ aspect: 1, height: 800, objects: [...people, ...objects], faces: [], poses });
};

const activities = (pose: Pose, things: Things = {}): string[] => detected(pose, things).map(({ value }) => value);

const BENT_LEGS = {
  "left knee": [0.6, 0.62],
  "left ankle": [0.55, 0.75],
  "right knee": [0.58, 0.62],
  "right ankle": [0.53, 0.75],
} as const;

describe("postures", () => {
  it("tells standing from straight legs under an upright body", () => {
    expect(activities(figure())).toEqual(["standing"]);
  });

  it("says nothing of legs that cannot be seen", () => {
    expect(activities(figure({}, ["left knee", "right knee"]))).toEqual([]);
  });

  it("does not call a stride standing", () => {
    expect(
      activities(figure({ "left knee": [0.65, 0.7], "left ankle": [0.76, 0.9], "right ankle": [0.35, 0.92] })),
    ).toEqual([]);
  });

  it("tells squatting from hips as low as the knees, over the feet", () => {
    expect(activities(figure(SQUATTING))).toEqual(["squatting"]);
  });

  it("calls the same legs sitting on a chair", () => {
    expect(activities(figure(SQUATTING), { chair: [0.25, 0.5, 0.3, 0.45] })).toEqual(["sitting"]);
  });

  it("does not say that who leans on a high stool stands", () => {
    expect(activities(figure(), { chair: [0.2, 0.55, 0.2, 0.4] })).toEqual([]);
  });

  it("calls knees as high as the hips over feet far below sitting, whatever the seat", () => {
    const onWall = { "left hip": [0.4, 0.52], "right hip": [0.4, 0.52], "left knee": [0.58, 0.54] } as const;
    const legs = { "right knee": [0.57, 0.54], "left ankle": [0.58, 0.78], "right ankle": [0.57, 0.78] } as const;
    expect(activities(figure({ ...onWall, ...legs }))).toEqual(["sitting"]);
    expect(activities(figure({ ...onWall, ...legs, "left knee": [0.42, 0.72] }))).not.toContain("sitting");
  });

  it("calls a lap sitting whose feet are hidden", () => {
    const lap = { "left knee": [0.72, 0.55], "right knee": [0.3, 0.56] } as const;
    const hidden = ["left ankle", "right ankle"] as const;
    expect(activities(figure(lap, hidden))).toEqual(["sitting"]);
    expect(activities(figure({}, hidden))).toEqual([]);
  });

  it("tells running from a leg drawn up behind while the other carries the body, but not from kneeling", () => {
    const front = { "left knee": [0.62, 0.7], "left ankle": [0.6, 0.9] } as const;
    const behind = { "right knee": [0.44, 0.71], "right ankle": [0.26, 0.68] } as const;
    expect(activities(figure({ ...front, ...behind }))).toContain("running");
    const kneeling = { "left knee": [0.55, 0.72], "left ankle": [0.37, 0.75], ...behind } as const;
    expect(activities(figure(kneeling))).not.toContain("running");
  });

  it("tells stretched arms from arms to both sides", () => {
    const arms = {
      "left elbow": [0.7, 0.25],
      "left wrist": [0.83, 0.25],
      "right elbow": [0.3, 0.25],
      "right wrist": [0.17, 0.25],
    } as const;
    expect(activities(figure(arms))).toContain("stretching arms out");
  });

  it("tells a raised hand from an arm stretched above the head", () => {
    expect(activities(figure({ "left elbow": [0.62, 0.12], "left wrist": [0.6, 0.01] }))).toContain("raising a hand");
  });

  it("does not call a hand on the head raised", () => {
    expect(activities(figure({ "left elbow": [0.68, 0.16], "left wrist": [0.53, 0.1] }))).toEqual(["standing"]);
  });
});

describe("people and things", () => {
  it("tells riding from hips over the mount and bent legs above the ground", () => {
    expect(activities(figure(BENT_LEGS), { horse: [0.2, 0.45, 0.6, 0.5] })).toEqual(["riding a horse"]);
  });

  it("does not say that who stands before a motorcycle rides it", () => {
    expect(activities(figure(), { motorcycle: [0.2, 0.5, 0.6, 0.43] })).toEqual(["standing"]);
  });

  it("tells drinking from a cup in the hand at the mouth", () => {
    const arm = { "left elbow": [0.66, 0.32], "left wrist": [0.56, 0.2] } as const;
    expect(activities(figure(arm), { cup: [0.49, 0.15, 0.05, 0.06] })).toContain("drinking");
  });

  it("does not say that who stands beside a cup drinks", () => {
    expect(activities(figure(), { cup: [0.8, 0.6, 0.05, 0.06] })).toEqual(["standing"]);
  });

  it("tells a call from a phone in the hand at the ear, and other use from one before the body", () => {
    const up = { "left elbow": [0.65, 0.34], "left wrist": [0.56, 0.2] } as const;
    expect(activities(figure(up), { "cell phone": [0.53, 0.12, 0.03, 0.06] })).toContain("talking on the phone");
    expect(activities(figure(), { "cell phone": [0.57, 0.5, 0.04, 0.06] })).toContain("using a phone");
  });

  it("tells flying a kite from a kite over everyone's head", () => {
    expect(activities(figure({}, ["left knee", "right knee"]), { kite: [0.7, 0, 0.1, 0.03] })).toEqual([
      "flying a kite",
    ]);
  });

  it("tells a game from the hand that holds what it is played with", () => {
    const racket = { "tennis racket": [0.58, 0.5, 0.1, 0.15] } as const;
    expect(activities(figure(), racket)).toEqual(["playing tennis"]);
    expect(
      activities(figure({ "left wrist": [0.2, 0.3], "right wrist": [0.15, 0.3] }), {
        "tennis racket": [0.8, 0.8, 0.1, 0.1],
      }),
    ).not.toContain("playing tennis");
  });
});

describe("what the picture shows as a whole", () => {
  const shown = (names: Readonly<Record<string, number>>, things: Things = {}): string[] => {
    const objects = Object.entries(things).map(([label, [left, top, width, height]]) => {
      return { label: label as ObjectLabel, prob: 0.8, box: { left, top, width, height } };
    });
    const scene = { aspect: 1, height: 800, objects, faces: [], poses: [], names: new Map(Object.entries(names)) };
    return recognizeActivities(scene).map(({ value }) => value);
  };
  const SOMEBODY = { person: [0.3, 0.1, 0.4, 0.9] } as const;

  it("tells what somebody plays", () => {
    expect(shown({ "musical instrument": 0.9, guitar: 0.8 }, SOMEBODY).sort()).toEqual([
      "playing an instrument",
      "playing guitar",
    ]);
    expect(shown({ "soccer ball": 0.7 }, SOMEBODY)).toEqual(["playing football"]);
  });

  it("tells nothing of an instrument that nobody is with, or that is hardly one", () => {
    expect(shown({ "musical instrument": 0.9 })).toEqual([]);
    expect(shown({ "musical instrument": 0.3 }, SOMEBODY)).toEqual([]);
  });

  it("takes skis for a snowboard where one was detected", () => {
    expect(shown({ skis: 0.9 }, SOMEBODY)).toEqual(["skiing"]);
    expect(shown({ skis: 0.9 }, { ...SOMEBODY, snowboard: [0.3, 0.9, 0.4, 0.1] })).toEqual(["snowboarding"]);
  });
});

it("takes food at the mouth of a face for eating, even where no hand is seen", () => {
  const face = { prob: 0.95, age: 30, gender: "female" as const, genderProb: 0.9, expressionProb: 0.9 };
  const seen = { ...face, expression: "neutral" as const, box: { left: 0.3, top: 0.2, width: 0.3, height: 0.4 } };
  const withApple = (top: number): string[] =>
    recognizeActivities({
      aspect: 1,
      height: 800,
      objects: [{ label: "apple", prob: 0.8, box: { left: 0.4, top, width: 0.1, height: 0.1 } }],
      faces: [seen],
      poses: [],
    }).map(({ value }) => value);
  expect(withApple(0.48)).toEqual(["eating"]);
  expect(withApple(0.85)).toEqual([]);
});

describe("the places of activities", () => {
  const aside = (by: number): Pose => {
    const moved = figure(Object.fromEntries(figure().keypoints.map(({ name, x, y }) => [name, [x + by, y]])));
    return { ...moved, prob: 0.8 };
  };

  it("are the people who do it", () => {
    const [standing] = detected(figure(), {}, [aside(0.3)]);
    expect(standing).toMatchObject({ value: "standing", count: 2 });
    expect(standing?.boxes?.map(([x]) => x)).toEqual([expect.closeTo(0.38, 2), expect.closeTo(0.68, 2)]);
    expect(standing?.boxes?.[0]?.[4]).toBe(standing?.prob);
    expect(standing?.boxes?.[1]?.[4]).toBeLessThan(standing?.prob ?? 0);
  });

  it("count once who does it with two things", () => {
    const arm = { "left elbow": [0.66, 0.32], "left wrist": [0.56, 0.2] } as const;
    const drinks = detected(figure(arm), { cup: [0.49, 0.15, 0.05, 0.06], "wine glass": [0.48, 0.15, 0.05, 0.06] });
    expect(drinks.find(({ value }) => value === "drinking")?.count).toBe(1);
  });

  it("are unknown where it is not one person who does it", () => {
    const [flying] = detected(figure({}, ["left knee", "right knee"]), { kite: [0.7, 0, 0.1, 0.03] });
    expect(flying).toEqual({ value: "flying a kite", prob: expect.any(Number) as number });
  });
});

it("finds nothing where nobody is", () => {
  const kite = { label: "kite" as const, prob: 0.9, box: { left: 0.4, top: 0.1, width: 0.1, height: 0.1 } };
  expect(recognizeActivities({ aspect: 1, height: 800, objects: [kite], faces: [], poses: [] })).toEqual([]);
});

it("takes a smile from a face that is clearly happy", () => {
  const face = {
    prob: 0.95,
    box: { left: 0.4, top: 0.4, width: 0.2, height: 0.2 },
    age: 30,
    gender: "female" as const,
    genderProb: 0.9,
  };
  const smiles = (expressionProb: number): Detection[] =>
    recognizeActivities({
      aspect: 1,
      height: 800,
      objects: [],
      faces: [{ ...face, expression: "happy", expressionProb }],
      poses: [],
    });
  const prob = expect.any(Number) as number;
  expect(smiles(0.99)).toEqual([{ value: "smiling", prob, count: 1, boxes: [[0.4, 0.4, 0.2, 0.2, prob]] }]);
  expect(smiles(0.6)).toEqual([]);
});

it("has each label once in its list", () => {
  expect(new Set(ACTIVITIES.map(({ label }) => label)).size).toBe(ACTIVITIES.length);
});
