import { expect, it } from "vitest";
import { createFrame } from "../image/frame.js";
import { filmOfAnimation } from "./animation.js";

const grey = (level: number, atMs: number) =>
  createFrame({ width: 640, height: 320, rgb: new Uint8Array(640 * 320 * 3).fill(level), atMs });

it("shows what differs, until it gives way", async () => {
  const { film, frames } = filmOfAnimation([grey(0, 0), grey(0, 100), grey(200, 200)], 300);
  const shots = [];
  for await (const { frame, untilMs } of frames) shots.push([frame.atMs, untilMs]);
  expect(shots).toEqual([
    [0, 200],
    [200, 300],
  ]);
  expect(film.durationMs).toBe(300);
});

it("takes a sudden change of the whole picture for a cut", async () => {
  const { frames } = filmOfAnimation([grey(0, 0), grey(20, 100), grey(200, 200), grey(0, 300)], 400);
  const shots = [];
  for await (const { frame, afterCut } of frames) shots.push([frame.atMs, afterCut]);
  expect(shots).toEqual([
    [0, false],
    [100, false],
    [200, true],
    [300, true],
  ]);
});

it("gives small frames as they are shown at each moment", async () => {
  const { film } = filmOfAnimation([grey(0, 0), grey(200, 200)], 300);
  const burst = await film.burst(0, { seconds: 1, perSecond: 10 });
  expect(burst.map(({ atMs, width, height, rgb }) => [atMs, width, height, rgb[0]])).toEqual([
    [0, 320, 160, 0],
    [100, 320, 160, 0],
    [200, 320, 160, 200],
  ]);
});
