import { describe, expect, it } from "vitest";
import { ingredientsOf } from "./ingredients.js";
import { people, type Placed, scene } from "./testing/seen-things.js";
import { captionOfVideo } from "./video-caption.js";

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
