import fc from "fast-check";
import { snappyUncompress } from "hyparquet";
import { snappyCompress } from "hyparquet-writer/src/snappy.js";
import { describe, expect, it } from "vitest";
import { type Cut, withoutCuts } from "./cuts.js";
import { cutCompressed, uncompress } from "./snappy.js";

/** Bytes that repeat themselves now and then, near and far, and at times a single one. */
const repetitive = fc
  .array(
    fc.oneof(
      fc.constantFrom("kestrel ", "a", "abc", "over the field and over the wire "),
      fc.string({ unit: "binary" }),
      fc
        .tuple(fc.constantFrom("x", "yz"), fc.integer({ min: 1, max: 3000 }))
        .map(([text, count]) => text.repeat(count)),
    ),
    { maxLength: 200 },
  )
  .map((texts) => Buffer.from(texts.join("")));

/** Cuts at any places of some bytes. */
function cutsOf(bytes: Uint8Array, places: readonly number[]): Cut[] {
  const ends = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  return ends.flatMap((start, index) => {
    const end = ends[index + 1];
    return index % 2 === 1 || end === undefined ? [] : [{ start, end }];
  });
}

function plainOf(compressed: Uint8Array, size: number): Uint8Array {
  const plain = new Uint8Array(size);
  snappyUncompress(compressed, plain);
  return plain;
}

describe("compressed bytes without some ranges", () => {
  it("are those of the other bytes, also if ranges are left out of them again", () => {
    const places = fc.array(fc.nat(), { maxLength: 12 });
    const property = fc.property(repetitive, places, places, (bytes, ...rounds) => {
      let plain: Uint8Array = bytes;
      let compressed = snappyCompress(plain);
      for (const round of rounds) {
        const cuts = cutsOf(plain, round);
        compressed = cutCompressed(compressed, plain, cuts);
        plain = withoutCuts(plain, cuts);
        expect(Buffer.compare(plainOf(compressed, plain.length), plain)).toBe(0);
      }
    });
    fc.assert(property, { numRuns: 300 });
  });

  it("are not much larger", () => {
    const bytes = Buffer.from(
      Array.from({ length: 5000 }, (_, index) => `posting ${index % 97} of ${index}`).join(" "),
    );
    const before = snappyCompress(bytes);
    expect(cutCompressed(before, bytes, [{ start: 1000, end: 1010 }]).length).toBeLessThan(before.length + 100);
  });
});

describe("uncompressing", () => {
  it("gives the bytes back", () => {
    const property = fc.property(repetitive, (bytes) => {
      const plain = new Uint8Array(bytes.length);
      uncompress(snappyCompress(bytes), plain);
      expect(Buffer.compare(plain, bytes)).toBe(0);
    });
    fc.assert(property, { numRuns: 100 });
  });

  it.each([
    [[4, 1, 0], 4],
    [[2, 4, 97, 98], 3],
    [[9, 0, 97, 0b000_110_01, 2], 11],
  ])("refuses damaged bytes %j", (bytes, size) => {
    expect(() => uncompress(Uint8Array.from(bytes), new Uint8Array(size))).toThrow(RangeError);
  });
});
