import { expect, it } from "vitest";
import { captionOfScenes } from "./caption-of-scenes.js";

const scene = (fromMs: number, length: number, description: string, afterCut = false) => ({
  fromMs,
  length,
  description,
  afterCut,
});

it("says when each scene begins, in whole seconds that have passed", () => {
  const caption = captionOfScenes([scene(0, 1, "a cat"), scene(3_661_999, 1, "a dog")], 3_662_999);
  expect(caption).toEqual({
    duration: "01:01:02",
    descriptions: [
      { timestamp: "00:00:00", description: "a cat" },
      { timestamp: "01:01:01", description: "a dog" },
    ],
  });
});

it("takes neighbors that show the same for one scene", () => {
  const scenes = [scene(0, 1, "a cat"), scene(2000, 1, "a cat"), scene(4000, 1, "a dog"), scene(6000, 1, "a cat")];
  expect(captionOfScenes(scenes, 8000).descriptions?.map(({ timestamp }) => timestamp)).toEqual([
    "00:00:00",
    "00:00:04",
    "00:00:06",
  ]);
  expect(scenes[0]).toEqual(scene(0, 1, "a cat"));
});

it("begins a scene at every cut, whatever it shows", () => {
  const { descriptions } = captionOfScenes([scene(0, 1, "a cat"), scene(2000, 1, "a cat", true)], 4000);
  expect(descriptions?.map(({ timestamp }) => timestamp)).toEqual(["00:00:00", "00:00:02"]);
});

it("keeps the 60 that last longest, in order of time", () => {
  const scenes = Array.from({ length: 100 }, (_, i) => scene(i * 1000, i % 5 < 3 ? 1000 : 10, `scene ${i}`));
  const { descriptions = [] } = captionOfScenes(scenes, 100_000);
  expect(descriptions).toHaveLength(60);
  expect(descriptions.slice(0, 4).map(({ description }) => description)).toEqual([
    "scene 0",
    "scene 1",
    "scene 2",
    "scene 5",
  ]);
});
