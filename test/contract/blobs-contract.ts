import { once } from "node:events";
import { Readable } from "node:stream";
import type { Blobs, ByteRange } from "@hourglass/runtime";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { expectFailure, numbersBelow, type World } from "./support.js";

/** Blobs on a separate storage. */
export interface BlobsWorld extends World {
  blobs: Blobs;
  /** Opens another instance on the same data: another process, or the same after a restart. */
  again: () => Promise<Blobs>;
}

/** Tests an adapter against the contract of the blobs' port. */
export function blobsContract(name: string, open: () => Promise<BlobsWorld>): void {
  describe(`${name}: the promises of the blobs`, () => {
    let world: BlobsWorld | undefined;
    const get = (): BlobsWorld => {
      if (world === undefined) throw new Error("The blobs are not open.");
      return world;
    };

    beforeEach(async () => {
      world = await open();
    });

    afterEach(async () => {
      await world?.close();
      world = undefined;
    });

    keepingContract(get);
    wholenessContract(get);
  });
}

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

async function* chunks(...parts: (Uint8Array | string)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield typeof part === "string" ? bytes(part) : part;
}

async function read(blobs: Blobs, key: string, range?: ByteRange): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of blobs.get(key, range)) parts.push(part);
  return Buffer.concat(parts);
}

/** A blob of one repeated byte, so that a mixture of two is obvious. */
function uniform(value: number, size: number): AsyncGenerator<Uint8Array> {
  return chunks(...numbersBelow(8).map(() => new Uint8Array(size / 8).fill(value)));
}

/** A stream that fails after its first part. */
async function* failing(): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(100_000);
  await Promise.resolve();
  throw new Error("the sender is gone");
}

function keepingContract(world: () => BlobsWorld): void {
  describe("keeping", () => {
    it("returns the bytes and their size, whatever they are and however they come", async () => {
      const { blobs } = world();
      const all = Uint8Array.from(numbersBelow(256));
      expect(await blobs.put("a/b-c_1", chunks(all, new Uint8Array(), "x\0y"))).toBe(259);
      expect(await blobs.size("a/b-c_1")).toBe(259);
      expect(await read(blobs, "a/b-c_1")).toEqual(Buffer.concat([all, bytes("x\0y")]));
    });

    it("keeps an empty blob, and one of several megabytes", async () => {
      const { blobs } = world();
      expect(await blobs.put("empty", chunks())).toBe(0);
      expect(await blobs.size("empty")).toBe(0);
      expect(await read(blobs, "empty")).toHaveLength(0);
      const part = new Uint8Array(1024 * 1024).map((_, index) => index % 253);
      expect(await blobs.put("big", Readable.from([part, part, part]))).toBe(3 * part.length);
      expect((await read(blobs, "big")).equals(Buffer.concat([part, part, part]))).toBe(true);
    });

    it("returns parts: start inclusive, end exclusive, both cut at the blob's end", async () => {
      const { blobs } = world();
      await blobs.put("k", chunks("0123", "456789"));
      const part = async (range: ByteRange): Promise<string> => (await read(blobs, "k", range)).toString();
      expect(await part({ start: 0 })).toBe("0123456789");
      expect(await part({ start: 3 })).toBe("3456789");
      expect(await part({ start: 2, end: 5 })).toBe("234");
      expect(await part({ start: 9, end: 10 })).toBe("9");
      expect(await part({ start: 8, end: 1000 })).toBe("89");
      expect(await part({ start: 4, end: 4 })).toBe("");
      expect(await part({ start: 10 })).toBe("");
      expect(await part({ start: 5000, end: 6000 })).toBe("");
    });

    it("replaces a blob, with a longer and with a shorter one", async () => {
      const { blobs } = world();
      for (const text of ["first", "a longer second", "3"]) {
        await blobs.put("k", chunks(text));
        expect((await read(blobs, "k")).toString()).toBe(text);
        expect(await blobs.size("k")).toBe(text.length);
      }
    });

    it("has a key that is the beginning of another", async () => {
      const { blobs } = world();
      for (const key of ["a", "a/b", "a/b/c", "incoming", "blobs"]) await blobs.put(key, chunks(key));
      for (const key of ["a", "a/b", "a/b/c", "incoming", "blobs"]) {
        expect((await read(blobs, key)).toString()).toBe(key);
      }
    });

    it("lists its blobs with their sizes, whole ones only", async () => {
      const { blobs, again } = world();
      const listed = async (each: Blobs): Promise<string[]> => {
        const found: string[] = [];
        for await (const { key, size } of each.list()) found.push(`${key} ${size}`);
        return found.sort();
      };
      expect(await listed(blobs)).toEqual([]);
      for (const key of ["a", "a/b", "a/b/c", "d"]) await blobs.put(key, chunks(key));
      await blobs.put("a/b", chunks("replaced"));
      await blobs.delete("d");
      await expect(blobs.put("e", failing())).rejects.toThrow("the sender is gone");
      const many = numbersBelow(130).map((n) => `many/${n}`);
      await Promise.all(many.map((key) => blobs.put(key, chunks())));
      const expected = ["a 1", "a/b 8", "a/b/c 5", ...many.map((key) => `${key} 0`)].sort();
      expect(await listed(blobs)).toEqual(expected);
      expect(await listed(await again())).toEqual(expected);
    });

    it("knows no size and no bytes of what is not there", async () => {
      const { blobs } = world();
      expect(await blobs.size("none")).toBeUndefined();
      await expectFailure("not-found", read(blobs, "none"));
      await expectFailure("not-found", read(blobs, "none", { start: 5, end: 5 }));
    });

    it("erases a blob and no other, and what was deleted before", async () => {
      const { blobs } = world();
      await blobs.put("a", chunks("first"));
      await blobs.put("a", chunks("second"));
      await blobs.put("b", chunks("kept"));
      await blobs.put("c", chunks("deleted"));
      await blobs.delete("c");
      await blobs.erase("a");
      await blobs.erase("a");
      await blobs.eraseDeleted();
      expect(await blobs.size("a")).toBeUndefined();
      expect((await read(blobs, "b")).toString()).toBe("kept");
    });

    it("deletes a blob and no other, and does nothing without one", async () => {
      const { blobs } = world();
      await blobs.put("a", chunks("a"));
      await blobs.put("a/b", chunks("b"));
      await blobs.delete("a");
      await blobs.delete("a");
      await blobs.delete("none/at-all");
      expect(await blobs.size("a")).toBeUndefined();
      expect((await read(blobs, "a/b")).toString()).toBe("b");
    });

    it("refuses keys of other characters, and touches nothing", async () => {
      const { blobs } = world();
      const keys = ["", "A", "a.b", "..", "../a", "a/../b", "a b", "a\0", "ä", "a\\b", "a\n", "%2e%2e", "😀"];
      for (const key of keys) {
        await expect(blobs.put(key, chunks("x"))).rejects.toThrow();
        await expect(read(blobs, key)).rejects.toThrow();
        await expect(blobs.size(key)).rejects.toThrow();
        await expect(blobs.delete(key)).rejects.toThrow();
      }
    });

    it("keeps blobs over a restart, and shows them to another instance at once", async () => {
      const { blobs, again } = world();
      const other = await again();
      await blobs.put("k", chunks("text"));
      expect((await read(other, "k")).toString()).toBe("text");
      await blobs.close();
      expect((await read(await again(), "k")).toString()).toBe("text");
    });

    it("answers a ping while it is open", async () => {
      await expect(world().blobs.ping()).resolves.toBeUndefined();
    });
  });
}

function wholenessContract(world: () => BlobsWorld): void {
  describe("wholeness", () => {
    it("leaves nothing of a stream that fails, and passes its failure on", async () => {
      const { blobs } = world();
      await expect(blobs.put("k", failing())).rejects.toThrow("the sender is gone");
      expect(await blobs.size("k")).toBeUndefined();
      await expectFailure("not-found", read(blobs, "k"));
    });

    it("keeps the old blob when the stream of the new one fails", async () => {
      const { blobs } = world();
      await blobs.put("k", chunks("old"));
      await expect(blobs.put("k", failing())).rejects.toThrow("the sender is gone");
      expect((await read(blobs, "k")).toString()).toBe("old");
    });

    it("shows nothing of a blob before the whole is there", async () => {
      const { blobs } = world();
      const sender = new Readable({ read: () => undefined });
      const stored = blobs.put("k", sender);
      sender.push(bytes("first "));
      if (sender.readableLength > 0) await once(sender, "readable");
      expect(await blobs.size("k")).toBeUndefined();
      await expectFailure("not-found", read(blobs, "k"));
      sender.push(bytes("second"));
      sender.push(null);
      expect(await stored).toBe(12);
      expect((await read(blobs, "k")).toString()).toBe("first second");
    });

    it("keeps one whole blob of several that are put under one key at the same time", async () => {
      const { blobs, again } = world();
      const other = await again();
      const sizes = numbersBelow(10).map((n) => 8000 * (n + 1));
      const puts = sizes.map((size, n) => (n % 2 === 0 ? blobs : other).put("k", uniform(n, size)));
      expect(await Promise.all(puts)).toEqual(sizes);
      const kept = await read(blobs, "k");
      expect(new Set(kept).size).toBe(1);
      expect(kept).toHaveLength(sizes[kept[0]!]!);
    });

    it("reads one whole blob, the old or the new, while it is being replaced", async () => {
      const { blobs } = world();
      const sizes = [80_000, 8, 400_000, 800];
      await blobs.put("k", uniform(0, sizes[0]!));
      let replacing = true;
      const replaced = (async () => {
        for (const n of numbersBelow(40)) await blobs.put("k", uniform(n % 4, sizes[n % 4]!));
        replacing = false;
      })();
      while (replacing) {
        const found = await read(blobs, "k");
        expect(new Set(found).size).toBe(1);
        expect(found).toHaveLength(sizes[found[0]!]!);
      }
      await replaced;
    });

    it("says not-found, and nothing else, of a blob that is deleted while it is asked for", async () => {
      const { blobs } = world();
      for (const n of numbersBelow(20)) {
        await blobs.put("k", chunks(`blob ${n}`));
        const [outcome] = await Promise.allSettled([read(blobs, "k"), blobs.delete("k")]);
        if (outcome.status === "fulfilled") expect(outcome.value.toString()).toBe(`blob ${n}`);
        else expect(outcome.reason).toMatchObject({ kind: "not-found" });
      }
    });

    it("lets a reader of the old blob read on to its end when it is replaced or deleted", async () => {
      const { blobs } = world();
      await blobs.put("k", uniform(1, 800_000));
      const reader = blobs.get("k")[Symbol.asyncIterator]();
      const first = await reader.next();
      await blobs.put("k", uniform(2, 80));
      await blobs.delete("k");
      const parts = first.done === true ? [] : [first.value];
      for (let part = await reader.next(); part.done !== true; part = await reader.next()) parts.push(part.value);
      const found = Buffer.concat(parts);
      expect(found).toHaveLength(800_000);
      expect([...new Set(found)]).toEqual([1]);
    });

    it("lets a reader leave early", async () => {
      const { blobs } = world();
      await blobs.put("k", uniform(1, 800_000));
      for await (const part of blobs.get("k")) {
        expect(part.length).toBeGreaterThan(0);
        break;
      }
      await blobs.delete("k");
      expect(await blobs.size("k")).toBeUndefined();
    });
  });
}
