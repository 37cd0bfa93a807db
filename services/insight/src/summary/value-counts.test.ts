import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SEPARATOR } from "../store/records.js";
import { SPELLED, spelledValue, ValueCounts } from "./value-counts.js";

const LIMIT = 4;
const value = fc.integer({ min: 0, max: 40 }).map((number) => `v${Math.floor(number ** 1.5 / 16)}`);
/** Values of a bucket each. */
const buckets = fc.array(fc.array(value, { maxLength: 60 }), { minLength: 1, maxLength: 8 });

/** The list of several buckets, each of which is cut as it is stored, and what is true of it. */
function counted(parts: readonly (readonly string[])[]): { list: ValueCounts; truth: Map<string, number> } {
  const list = new ValueCounts(LIMIT);
  const truth = new Map<string, number>();
  for (const values of parts) {
    const part = new ValueCounts(LIMIT);
    for (const each of values) {
      part.add(each);
      truth.set(each, (truth.get(each) ?? 0) + 1);
    }
    part.cut(LIMIT);
    list.addLoss(part);
    for (const [each, count] of part) list.add(each, count);
  }
  list.cut(LIMIT);
  return { list, truth };
}

describe("counts of more values than a list holds", () => {
  it("are too low by no more than the stated error, also those that are left out, and never too high", () => {
    fc.assert(
      fc.property(buckets, (parts) => {
        const { list, truth } = counted(parts);
        expect(list.size).toBeLessThanOrEqual(LIMIT);
        for (const [each, count] of truth) {
          const stated = list.get(each);
          expect(stated).toBeLessThanOrEqual(count);
          expect(stated + list.error).toBeGreaterThanOrEqual(count);
        }
      }),
    );
  });

  it("state a number of different values that is too low by no more than its error", () => {
    fc.assert(
      fc.property(buckets, (parts) => {
        const { list, truth } = counted(parts);
        expect(list.size).toBeLessThanOrEqual(truth.size);
        expect(list.size + list.dropped).toBeGreaterThanOrEqual(truth.size);
      }),
    );
  });

  it("keep the sum of a value that is spelled in more ways than are kept, also when stored", () => {
    const list = new ValueCounts();
    for (let number = 0; number < 40; number += 1) list.add(spelledValue("a", `A${number % 20}`));
    const stored = new ValueCounts();
    for (const { values, counts } of list.joined(100)) stored.addJoined(values, counts);
    expect([...stored]).toEqual([["a", 40]]);
    expect(stored.spellingOf("a")).toBe("A0");
  });

  it("are exact without a loss", () => {
    const { list, truth } = counted([["a", "b", "a"], ["c", "a"], ["d"]]);
    expect(list).toMatchObject({ error: 0, dropped: 0 });
    expect(new Map(list)).toEqual(truth);
  });
});

describe("lists of values joined by separators", () => {
  /** Of any characters, also halves of pairs, but without separators. */
  const text = fc
    .string({ unit: "binary", maxLength: 12 })
    .map((any) => any.replaceAll(SEPARATOR, "").replaceAll(SPELLED, ""));
  const half = fc.constantFrom("\ud83d", "\ude00", "", "a\ud83d", "a\ude00");
  const counted = fc.uniqueArray(fc.tuple(fc.oneof(text, half), fc.integer({ min: 1, max: 9 })), {
    selector: ([each]) => each,
    maxLength: 300,
  });

  it("add up to what their values are", () => {
    fc.assert(
      fc.property(fc.array(counted, { minLength: 1, maxLength: 4 }), fc.integer({ min: 1, max: 40 }), (lists, size) => {
        const truth = new Map<string, number>();
        const sum = new ValueCounts();
        for (const list of lists) {
          const one = new ValueCounts();
          for (const [each, count] of list) {
            one.add(each, count);
            truth.set(each, (truth.get(each) ?? 0) + count);
          }
          for (const { values, counts } of one.joined(size)) sum.addJoined(values, counts);
        }
        expect(new Map(sum)).toEqual(truth);
        for (const [each, count] of truth) expect(sum.get(each)).toBe(count);
      }),
    );
  });

  it("are cut into parts of limited size, except for a longer value", () => {
    const list = new ValueCounts();
    for (const each of ["ab", "cd", "a longer value", "e", "f"]) list.add(each);
    const parts = list.joined(6).map(({ values }) => values.split(SEPARATOR));
    expect(parts).toEqual([["ab", "cd"], ["a longer value"], ["e", "f"]]);
  });
});
