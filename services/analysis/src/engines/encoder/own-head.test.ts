import { describe, expect, it } from "vitest";
import { createOwnHead } from "./own-head.js";

const base64 = (...values: number[]): string => Buffer.from(new Float32Array(values).buffer).toString("base64");

/** One unit that reads the first of two values, and two labels: for and against. */
const FILE = {
  input: "pooled",
  first: base64(1, 0),
  firstBias: base64(0),
  second: base64(1, -1),
  secondBias: base64(0, 0.5),
};
const ROW = Float32Array.of(10, 3);
const OWN = Float32Array.of(0.25, 4);

describe("a head beside the network", () => {
  it("replaces the scores of the network's own head", () => {
    expect([...createOwnHead(FILE, 2)!.scoresOf(ROW, OWN)]).toEqual([10, -9.5]);
  });

  it("adds to them if its file says so", () => {
    expect([...createOwnHead({ ...FILE, adds: true }, 2)!.scoresOf(ROW, OWN)]).toEqual([10.25, -5.5]);
  });

  it("must fit the number of labels", () => {
    expect(createOwnHead(FILE, 3)).toBeUndefined();
  });
});
