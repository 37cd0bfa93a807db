import type { Blobs } from "@hourglass/runtime";
import { GridFSBucket, type Document } from "mongodb";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { freshMongo, type MongoWorld } from "./mongo-world.js";

const HOUR_MS = 3_600_000;
let world: MongoWorld;
let blobs: Blobs;

beforeEach(async () => {
  world = await freshMongo();
  ({ blobs } = await world.again());
});
afterEach(() => world.close());

const raw = (name: string) => world.direct.db().collection<Document & { _id: string }>(name);

async function* bytes(size: number): AsyncGenerator<Uint8Array> {
  yield Buffer.alloc(size, 7);
}

async function sizeRead(from: Blobs, key: string): Promise<number> {
  let size = 0;
  for await (const part of from.get(key)) size += part.length;
  return size;
}

/** Makes a file look so many hours old. */
async function age(files: Document, hours: number): Promise<void> {
  await raw("blobs.leftovers").updateMany(files, { $set: { at: new Date(Date.now() - hours * HOUR_MS) } });
}

describe("blobs in GridFS", () => {
  it("can be read by the tools of GridFS", async () => {
    await blobs.put("a/b", bytes(700_000));
    const bucket = new GridFSBucket(world.direct.db(), { bucketName: "blobs" });
    let size = 0;
    for await (const part of bucket.openDownloadStreamByName("a/b")) size += (part as Buffer).length;
    expect(size).toBe(700_000);
  });

  it("leave nothing of a stream that fails, and no entry of one that is kept", async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield* bytes(3_000_000);
      throw new Error("the sender is gone");
    }
    await expect(blobs.put("k", broken())).rejects.toThrow("the sender is gone");
    for (const name of ["blobs.files", "blobs.chunks", "blobs.keys", "blobs.leftovers"]) {
      expect(await raw(name).countDocuments()).toBe(0);
    }
    await blobs.put("k", bytes(10));
    expect(await raw("blobs.leftovers").countDocuments()).toBe(0);
  });

  it("that were replaced or deleted an hour ago are removed by the next process, and only those", async () => {
    for (const size of [600_000, 500_000, 400_000]) await blobs.put("replaced", bytes(size));
    await blobs.put("deleted", bytes(300_000));
    await blobs.delete("deleted");
    await age({}, 2);
    await blobs.put("recent", bytes(200_000));
    await blobs.delete("recent");
    const next = (await world.again()).blobs;
    await next.put("new", bytes(100));
    const lengths = async () => (await raw("blobs.files").find().toArray()).map((file) => Number(file["length"]));
    await vi.waitFor(async () => expect((await lengths()).toSorted((a, b) => a - b)).toEqual([100, 200_000, 400_000]));
    expect(await sizeRead(next, "replaced")).toBe(400_000);
    await vi.waitFor(async () => expect(await raw("blobs.leftovers").countDocuments()).toBe(1));
  });

  it("that a crash left half uploaded are removed after two hours, those under way are not", async () => {
    for (const id of ["dead", "alive"]) {
      await raw("blobs.chunks").insertOne({ _id: `${id}/0`, files_id: id, n: 0, data: Buffer.alloc(10) });
      await raw("blobs.leftovers").insertOne({ _id: id, key: "k", state: "incoming", at: new Date() });
    }
    await age({ _id: "dead" }, 3);
    await age({ _id: "alive" }, 1);
    await blobs.put("new", bytes(0));
    await vi.waitFor(async () => {
      expect((await raw("blobs.leftovers").find().toArray()).map(({ _id }) => _id)).toEqual(["alive"]);
    });
    expect((await raw("blobs.chunks").find().toArray()).map(({ _id }) => _id)).toEqual(["alive/0"]);
  });

  it("whose process died right after they became visible, or right before they were replaced, stay", async () => {
    await blobs.put("k", bytes(300_000));
    const file = (await raw("blobs.keys").findOne({ _id: "k" }))?.["file"] as string;
    for (const state of ["incoming", "replaced"]) {
      await raw("blobs.leftovers").insertOne({ _id: file, key: "k", state, at: new Date(0) });
      const next = (await world.again()).blobs;
      await next.put("new", bytes(0));
      await vi.waitFor(async () => expect(await raw("blobs.leftovers").countDocuments({ _id: file })).toBe(0));
      expect(await sizeRead(next, "k")).toBe(300_000);
    }
  });
});
