import path from "node:path";
import {
  AppError,
  openEmbeddedQueue,
  openSqliteStore,
  openFileBlobs,
  storeFull,
  type Blobs,
  type Store,
} from "@hourglass/runtime";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { png } from "../support/png.js";
import { type FileStorage, MediaProcess, readBack, uploadOf } from "./media-world.js";
import { failureOf, freshFolder, silent } from "./support.js";

/** The kinds of data that currently find no room. */
interface Room {
  bytes: boolean;
  records: boolean;
}

type Method = (...args: never[]) => unknown;

/**
 * A proxy of the object in which methods are replaced by what `replace` returns for their names, at the time of a call.
 */
function withMethods<T extends object>(object: T, replace: (name: PropertyKey) => Method | undefined): T {
  return new Proxy(object, {
    get: (target, name) => {
      const own: unknown = Reflect.get(target, name);
      return typeof own === "function" ? (replace(name) ?? (own as Method).bind(target)) : own;
    },
  });
}

/** The first bytes still fit, as on a disk that fills up. */
function limitedBlobs(blobs: Blobs, room: Room): Blobs {
  const put: Blobs["put"] = (key, bytes) => blobs.put(key, room.bytes ? bytes : firstOf(bytes));
  return withMethods(blobs, (name) => (name === "put" ? put : undefined));
}

async function* firstOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    yield chunk;
    throw new AppError("unavailable", "The storage is full.", { code: "storage_full" });
  }
}

/** A store whose collections refuse inserts and updates. */
function limitedStore(store: Store, room: Room): Store {
  const refuse = () => Promise.reject(storeFull("test"));
  const collection: Store["collection"] = async (spec) =>
    withMethods(await store.collection(spec), (name) =>
      !room.records && (name === "insert" || name === "update") ? refuse : undefined,
    );
  return withMethods(store, (name) => (name === "collection" ? collection : undefined));
}

describe("uploads to a storage that is full", () => {
  const room: Room = { bytes: true, records: true };
  let storage: FileStorage;
  let process: MediaProcess;

  beforeEach(async () => {
    Object.assign(room, { bytes: true, records: true });
    const { folder, remove } = await freshFolder();
    const store = await openSqliteStore({ dataDir: folder, log: silent });
    const queue = await openEmbeddedQueue({ database: store.database, log: silent });
    onTestFinished(async () => {
      await process.stop();
      await queue.close();
      await store.close();
      await remove();
    });
    const blobs = await openFileBlobs({ folder: path.join(folder, "files") });
    storage = { store, queue, blobs };
    process = await MediaProcess.on({
      queue,
      store: limitedStore(store, room),
      blobs: limitedBlobs(blobs, room),
    });
  });

  const upload = async (seed: number, idempotencyKey = "") =>
    (await process.client().uploadFile(uploadOf(png({ seed, ballast: 5000 }), { idempotencyKey, chunkBytes: 1000 })))
      .id;
  const records = async () => (await storage.store.collection<{ id: number }>({ name: "files" })).find({});

  it("fail so that one sees why, be it the bytes or the record that there is no room for", async () => {
    const earlier = await upload(1);
    for (const missing of ["bytes", "records"] as const) {
      room[missing] = false;
      expect(await failureOf(upload(2, "key"))).toMatchObject({ kind: "unavailable", code: "storage_full" });
      room[missing] = true;
    }
    expect(await records()).toHaveLength(1);
    expect(await readBack(process.client(), earlier)).toEqual(png({ seed: 1, ballast: 5000 }));
    expect(await readBack(process.client(), await upload(2, "key"))).toEqual(png({ seed: 2, ballast: 5000 }));
  });

  it("leave nothing for good when the disk fills up between the bytes and the record", async () => {
    const client = process.client();
    const filling = async function* () {
      yield* uploadOf(png(), { idempotencyKey: "key" });
      room.records = false;
    };
    expect(await failureOf(client.uploadFile(filling()))).toMatchObject({ code: "storage_full" });
    room.records = true;
    process.clock.now += 3 * 3_600_000;
    process.startSweeper();
    await expect.poll(records).toEqual([]);
    await process.stop();
    expect(await storage.blobs.size("files/1")).toBeUndefined();
    expect(await upload(1, "key")).toBe(2n);
  });
});
