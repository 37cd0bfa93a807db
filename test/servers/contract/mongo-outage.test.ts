import type { Mongo } from "@hourglass/runtime";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { failureOf, numbersBelow } from "../../contract/support.js";
import { MongoProxy } from "./mongo-proxy.js";
import { freshMongo, serverUrl, type MongoWorld } from "./mongo-world.js";

interface Item {
  id: number;
  size: number;
}

let proxy: MongoProxy;
let world: MongoWorld;
let mongo: Mongo;

beforeEach(async () => {
  proxy = await MongoProxy.make(serverUrl());
  world = await freshMongo(proxy.host);
  mongo = await world.again();
});

afterEach(async () => {
  proxy.unblock();
  await world.close();
  await proxy.close();
});

async function* text(value: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(value);
}

/** Calls may still fail until the driver has noticed that the server is back. */
const recovers = <R>(work: () => Promise<R>): Promise<R> => vi.waitFor(work, { timeout: 30_000, interval: 50 });

const everyCall = ({ store, blobs }: Mongo): Promise<unknown>[] => [
  store.ping(),
  store.nextId("a"),
  store.collection({ name: "young" }),
  store.migrate([{ owner: "late", version: 2, up: () => Promise.resolve() }]),
  blobs.ping(),
  blobs.size("k"),
  blobs.put("k", text("x")),
  blobs.delete("k"),
];

async function expectOutage(calls: readonly Promise<unknown>[]): Promise<void> {
  for (const failure of await Promise.all(calls.map(failureOf))) {
    expect(failure).toMatchObject({ kind: "unavailable" });
    expect(failure.retryAfterMs).toBeGreaterThan(0);
  }
}

describe("a MongoDB that is unavailable", () => {
  it("makes every call fail as unavailable, and serves them once it is there", async () => {
    await expectOutage(everyCall(mongo));
    await proxy.open();
    await recovers(() => mongo.store.ping());
    for (const call of everyCall(mongo)) await call;
  });

  it("may go and come back while it is used", async () => {
    await proxy.open();
    const items = await mongo.store.collection<Item>({ name: "items" });
    await items.insert({ id: 1, size: 1 });
    await mongo.blobs.put("k", text("kept"));
    await proxy.close();
    await expectOutage([...everyCall(mongo), items.get(1), items.insertMany([1, 2].map((id) => ({ id, size: 0 })))]);
    await proxy.open();
    expect(await recovers(() => items.get(1))).toEqual({ id: 1, size: 1 });
    expect(await mongo.blobs.size("k")).toBe(4);
  });

  it("is noticed when it only falls silent, with more callers than there are connections", async () => {
    await proxy.open();
    const items = await mongo.store.collection<Item>({ name: "items" });
    await items.insert({ id: 1, size: 1 });
    proxy.block();
    await expectOutage(numbersBelow(200).map(() => items.get(1)));
    proxy.unblock();
    expect(await recovers(() => items.get(1))).toEqual({ id: 1, size: 1 });
  });
});

describe("an answer that is lost", () => {
  it("does not make a change happen twice, and the caller learns of it", async () => {
    await proxy.open();
    const items = await mongo.store.collection<Item>({ name: "items" });
    await items.insert({ id: 1, size: 0 });
    proxy.loseAnswerTo("findAndModify");
    expect(await items.update({ id: 1, size: 0 }, { increment: { size: 1 } })).toEqual({ id: 1, size: 1 });
    proxy.loseAnswerTo("insert");
    await items.insert({ id: 2, size: 0 });
    proxy.loseAnswerTo("commitTransaction");
    await items.insertMany([3, 4].map((id) => ({ id, size: 0 })));
    expect((await items.find({})).map(({ id, size }) => [id, size])).toEqual([
      [1, 1],
      [2, 0],
      [3, 0],
      [4, 0],
    ]);
  });
});
