import type { Json } from "@hourglass/runtime";
import { repeats } from "@hourglass/runtime/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { StoreBench } from "./store-world.js";

/** Characters that are easily corrupted (NUL, quotes, a line separator, emoji), and any others. */
const unit = fc.oneof(
  fc.constantFrom("\0", "😀", "'", '"', "\\", "\u2028"),
  fc.string({ unit: "binary", maxLength: 3 }),
);
const wellFormed = fc.string({ unit });
/** Including lone surrogates, which JavaScript allows. */
const text = fc.oneof(wellFormed, fc.string({ unit: fc.constantFrom("\ud83d", "\udc00", "a") }));
const number = fc.oneof(fc.maxSafeInteger(), fc.double({ noNaN: true, noDefaultInfinity: true }));
const json = fc.letrec<{ value: Json; array: Json[]; object: Record<string, Json> }>((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, text, number, fc.boolean(), fc.constant(null), tie("array"), tie("object")),
  array: fc.array(tie("value"), { maxLength: 4 }),
  object: fc.dictionary(text, tie("value"), { maxKeys: 4 }),
})).value;

/** Values are read as written: exactly, except that -0 is read as JSON writes it. */
export function roundTripContract(bench: () => StoreBench): void {
  describe("round trip", () => {
    it("returns every JSON document exactly, -0 as 0", async () => {
      const { items } = bench();
      const property = fc.asyncProperty(json, text, async (data, name) => {
        const document = { id: 1, name, data };
        await items.put(document);
        const expected = JSON.stringify(document);
        expect(JSON.stringify(await items.get(1))).toBe(expected);
        // Changed by the store rather than rewritten.
        expect(JSON.stringify(await items.update({ id: 1 }, { set: { name } }))).toBe(expected);
        expect(JSON.stringify(await items.find({}))).toBe(`[${expected}]`);
      });
      await fc.assert(property, { numRuns: repeats(150) });
    });

    it("keeps integers to 2^53 and the ends of floating point exactly", async () => {
      const { items } = bench();
      const values = [2 ** 53, -(2 ** 53), 2 ** 53 - 1, 1e300, 5e-324, Number.MAX_VALUE, 0.1 + 0.2, 1 / 3, -1e-7, 1e21];
      for (const [id, size] of values.entries()) await items.insert({ id, size });
      for (const [id, size] of values.entries()) {
        expect((await items.get(id))?.size).toBe(size);
        expect((await items.find({ size })).map((item) => item.id)).toEqual([id]);
      }
      await items.insert({ id: "zero", size: -0 });
      expect((await items.find({ size: 0 })).map((item) => item.size)).toEqual([0]);
    });

    it("finds a document by the very text or number it holds", async () => {
      const { items } = bench();
      const property = fc.asyncProperty(wellFormed, number, async (name, size) => {
        await items.put({ id: 1, name, size });
        expect(await items.count({ name, size })).toBe(1);
        expect(await items.count({ name: { in: [name, "?"] }, size: { in: [size] } })).toBe(1);
        expect(await items.count({ name: { lte: name }, size: { gte: size } })).toBe(1);
        expect(await items.count({ name: { ne: name } })).toBe(0);
        expect(await items.count({ name: `${name}\0`, size })).toBe(0);
      });
      await fc.assert(property, { numRuns: repeats(150) });
    });

    it("finds a document by every whole text or number as its id", async () => {
      const { items } = bench();
      const id = fc.oneof(wellFormed, fc.maxSafeInteger());
      const property = fc.asyncProperty(fc.uniqueArray(id, { maxLength: 8 }), async (ids) => {
        await items.delete({});
        await items.insertMany(ids.map((one) => ({ id: one })));
        for (const one of ids) expect(await items.get(one)).toEqual({ id: one });
        expect(await items.count({ id: { in: ids } })).toBe(ids.length);
      });
      await fc.assert(property, { numRuns: repeats(60) });
    });

    it("keeps a text of 2 MB, and one that only one character tells from it", async () => {
      const { items } = bench();
      const long = "ab😀\0".repeat(420_000);
      await items.insertMany([
        { id: 1, data: long },
        { id: 2, data: `${long}!` },
      ]);
      // Compared as a boolean, because a failure would print both texts.
      expect((await items.get(1))?.data === long).toBe(true);
      expect((await items.get(2))?.data === `${long}!`).toBe(true);
    });

    it("keeps names and values that mean something to JavaScript or to a query language", async () => {
      const { items } = bench();
      const data = JSON.parse('{"__proto__":{"a":1},"constructor":1,"$set":{"x":1},"a.b":2,"":3,"1":4}') as Json;
      await items.insert({ id: "'; DROP TABLE items; --", name: "$where", data });
      expect(JSON.stringify(await items.find({ name: "$where" }))).toContain(JSON.stringify(data));
      expect(await items.update({ name: "$where" }, { set: { size: 1 } })).toMatchObject({ size: 1 });
      expect(JSON.stringify(await items.get("'; DROP TABLE items; --"))).toContain('"__proto__":{"a":1}');
    });
  });
}
