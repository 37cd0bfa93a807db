import { describe, expect, it } from "vitest";
import { boxesAt, neighbor, secondsOf, secondsSeen, subtitles, type Track } from "./moments.js";

const CAR: Track = {
  key: "car",
  label: "car",
  probability: 0.9,
  moments: [
    { start: 1, end: 3, at: 2, boxes: [[0, 0, 0.5, 0.5, 0.9]] },
    { start: 7, end: 9 },
  ],
};
const DOG: Track = { key: "dog", label: "dog", probability: 0.8, moments: [{ start: 4, end: 5, at: 4.5 }] };

describe("neighbor", () => {
  it("goes from moment to moment, to the picture in which most was seen", () => {
    expect(neighbor([CAR, DOG], 0, 1)).toBe(2);
    expect(neighbor([CAR, DOG], 2, 1)).toBe(4.5);
    expect(neighbor([CAR, DOG], 7, -1)).toBe(4.5);
  });

  it("leaves the moment that is being played, and ends at the ends", () => {
    expect(neighbor([CAR], 2.2, -1)).toBeUndefined();
    expect(neighbor([CAR], 7, 1)).toBeUndefined();
    expect(neighbor([], 7, 1)).toBeUndefined();
  });
});

it("shows boxes only around their picture", () => {
  expect(boxesAt([CAR, DOG], 2.3)).toEqual([{ label: "car", box: [0, 0, 0.5, 0.5, 0.9] }]);
  expect(boxesAt([CAR, DOG], 2.9)).toEqual([]);
});

it("sums what was seen", () => {
  expect(secondsSeen(CAR.moments)).toBe(4);
});

it("writes subtitles in which nothing said is a mark", () => {
  expect(subtitles([{ start: 61.5, end: 62, text: "<b>a\nb</b> --> c & d" }])).toBe(
    "WEBVTT\n\n00:01:01.500 --> 00:01:02.000\n&lt;b>a b&lt;/b> → c &amp; d\n",
  );
});

it("reads times of captions", () => {
  expect(secondsOf("01:02:03")).toBe(3723);
});
