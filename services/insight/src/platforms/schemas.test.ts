import { parseLongNumbers } from "@hourglass/runtime/json";
import { expect, it } from "vitest";
import * as z from "zod";
import { maybeCount, maybeScore } from "./schemas.js";

const counts = z.object({ count: maybeCount, score: maybeScore });

it.each([
  ['{"count":12,"score":-12}', { count: 12, score: -12 }],
  [
    '{"count":9007199254740991,"score":-9007199254740991}',
    { count: 9_007_199_254_740_991, score: -9_007_199_254_740_991 },
  ],
  ['{"count":9007199254740993,"score":-9007199254740993}', { count: "9007199254740993", score: "-9007199254740993" }],
  ['{"count":9223372036854775808,"score":1.5}', {}],
  ['{"count":-9007199254740993,"score":"many"}', {}],
])("counts of %s keep all their digits", (text, expected) => {
  expect(counts.parse(parseLongNumbers(text))).toEqual(expected);
});
