import { describe, expect, it } from "vitest";
import type { Pose } from "../../vision/poses.js";
import { bodyOf } from "../../vision/postures.js";
import { figure, SQUATTING } from "../../vision/testing/figure.js";
import { isStepping, movementsIn, type Track } from "./movements.js";

/** A person with six poses a second. */
const track = (poses: readonly Pose[]): Track =>
  poses.map((pose, i) => ({ atMs: Math.round((i * 1000) / 6), body: bodyOf(pose, 1) }));

const still = (count: number, pose: Pose): Pose[] => Array.from({ length: count }, () => pose);
const up = still(5, figure());
const down = still(5, figure(SQUATTING));
const wave = (x: number): Pose => figure({ "left elbow": [0.66, 0.28], "left wrist": [x, 0.1] });

describe("squats", () => {
  it("are reported when someone goes down and up again twice", () => {
    const [squats, ...others] = movementsIn(track([...up, ...down, ...up, ...down, ...up]));
    expect(others).toEqual([]);
    expect(squats).toMatchObject({ activity: "doing squats", fromMs: 0, toMs: 3333, box: figure().box });
  });

  it("are not reported for someone who sits down once", () => {
    expect(movementsIn(track([...up, ...down, ...down, ...down]))).toEqual([]);
  });

  it("are not reported for someone who bends and moves on", () => {
    const away = Object.fromEntries(figure().keypoints.map(({ name, x, y }) => [name, [x + 0.45, y]]));
    expect(movementsIn(track([...up, ...down, ...still(5, figure(away)), ...down, ...up]))).toEqual([]);
  });
});

describe("waving", () => {
  it("is reported when a raised hand swings to and fro", () => {
    const swings = [0.58, 0.66, 0.74, 0.66, 0.58, 0.66, 0.74, 0.66, 0.58, 0.66, 0.74, 0.66];
    expect(movementsIn(track(swings.map(wave))).map(({ activity }) => activity)).toEqual(["waving"]);
  });

  it("is not reported for a hand that is held up", () => {
    expect(movementsIn(track([0.66, 0.67, 0.66, 0.65, 0.66, 0.67, 0.66, 0.66].map(wave)))).toEqual([]);
  });

  it("is not reported for a hand that is held up before a camera that rolls", () => {
    const rolled = (angle: number): Pose => {
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
      const turned = (x: number, y: number) => [0.5 + x * cos - y * sin, 0.5 + x * sin + y * cos];
      return figure(Object.fromEntries(wave(0.66).keypoints.map(({ name, x, y }) => [name, turned(x - 0.5, y - 0.5)])));
    };
    expect(movementsIn(track([0, 0.2, 0, -0.2, 0, 0.2, 0, -0.2, 0, 0.2, 0, -0.2, 0].map(rolled)))).toEqual([]);
  });

  it("is not reported for a hand that moves once", () => {
    expect(movementsIn(track([0.58, 0.58, 0.6, 0.66, 0.72, 0.74, 0.74, 0.74].map(wave)))).toEqual([]);
  });
});

describe("few pictures a second", () => {
  const slow = (poses: readonly Pose[]): Track => poses.map((pose, i) => ({ atMs: i * 500, body: bodyOf(pose, 1) }));

  it("show no waving, however the hand is found", () => {
    expect(movementsIn(slow([0.58, 0.74, 0.58, 0.74, 0.58, 0.74, 0.58, 0.74].map(wave)))).toEqual([]);
  });

  it("show squats, which are slow", () => {
    const [squats] = movementsIn(
      slow([figure(), ...still(2, figure(SQUATTING)), ...still(2, figure()), ...still(2, figure(SQUATTING)), figure()]),
    );
    expect(squats?.activity).toBe("doing squats");
  });
});

describe("the feet", () => {
  const apart = figure({ "left ankle": [0.62, 0.92], "right ankle": [0.38, 0.86] });
  const other = figure({ "left ankle": [0.38, 0.86], "right ankle": [0.62, 0.92] });
  const body = bodyOf(figure(), 1);

  it("of who walks move against each other", () => {
    const walk = track([figure(), apart, figure(), other, figure(), apart]);
    expect(isStepping(body, 500, [walk])).toBe(true);
    expect(isStepping(body, 60_000, [walk])).toBe(false);
  });

  it("of who stands do not, however the camera moves", () => {
    const moved = (by: number): Pose =>
      figure(Object.fromEntries(figure().keypoints.map(({ name, x, y }) => [name, [x + by, y]])));
    expect(isStepping(body, 500, [track([0, 0.05, 0.1, 0.15, 0.1, 0.05, 0].map(moved))])).toBe(false);
    expect(movementsIn(track([0, 0.3, 0, 0.3, 0, 0.3, 0].map(moved)))).toEqual([]);
  });
});

it("tells jumping jacks from arms and feet that go apart together", () => {
  const open = figure({
    "left elbow": [0.66, 0.15],
    "left wrist": [0.7, 0.02],
    "right elbow": [0.34, 0.15],
    "right wrist": [0.3, 0.02],
    "left knee": [0.62, 0.71],
    "left ankle": [0.7, 0.9],
    "right knee": [0.38, 0.71],
    "right ankle": [0.3, 0.9],
  });
  const frames = Array.from({ length: 4 }, () => [figure(), figure(), open, open]).flat();
  expect(movementsIn(track([...frames, figure()])).map(({ activity }) => activity)).toEqual(["doing jumping jacks"]);
});
