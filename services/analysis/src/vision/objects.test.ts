import { describe, expect, it } from "vitest";
import type { Box } from "../types.js";
import { type ObjectLabel, type RawObject, toSightings } from "./objects.js";

const here: Box = { left: 0.1, top: 0.1, width: 0.4, height: 0.4 };
const nearby: Box = { ...here, left: 0.12 };
const elsewhere: Box = { ...here, left: 0.6 };
const seen = (label: ObjectLabel, score: number, box = here): RawObject => ({ label, score, box });
const labels = (near: RawObject[], far: RawObject[] = []): string[] =>
  toSightings({ near, far }).map(({ label }) => label);

describe("toSightings", () => {
  it("believes more in what both views show in one place", () => {
    const [once] = toSightings({ near: [seen("cat", 0.6)], far: [seen("cat", 0.6, elsewhere)] });
    const [both] = toSightings({ near: [seen("cat", 0.6)], far: [seen("cat", 0.6, nearby)] });
    expect(both!.prob).toBeGreaterThan(once!.prob);
  });

  it("leaves out what is unlikelier than not", () => {
    expect(labels([seen("cat", 0.4)])).toEqual([]);
    expect(labels([seen("cat", 0.4)], [seen("cat", 0.4, nearby)])).toEqual(["cat"]);
  });

  it("has each object once, and several of one kind apart", () => {
    expect(labels([seen("cup", 0.8), seen("cup", 0.7, nearby), seen("cup", 0.75, elsewhere)])).toEqual(["cup", "cup"]);
  });

  it("gives one place the likelier of two names", () => {
    expect(labels([seen("truck", 0.8), seen("car", 0.9, nearby)])).toEqual(["car"]);
  });

  it("puts the likeliest first", () => {
    expect(labels([seen("dog", 0.7), seen("person", 0.9, elsewhere)])).toEqual(["person", "dog"]);
  });
});
