import { AppError } from "@hourglass/runtime";
import { afterEach, describe, expect, it, vi } from "vitest";
import { GatewayClient } from "../testing/gateway-under-test.js";
import { LargeRecords, type RecordRead } from "./large-records.js";
import { Budget, type Holder } from "./limits.js";

const MIB = 1_048_576;

function holder(userId: number): Holder {
  return { callerId: userId, heldBytes: 0, isOver: false };
}

function kindOf(work: () => unknown): string {
  try {
    work();
    return "done";
  } catch (error) {
    return AppError.from(error).kind;
  }
}

describe("the budget", () => {
  it("refuses a user who has the share of one, and everybody when all is given out", () => {
    const budget = new Budget({ bytesMax: 100, userBytesMax: 50 });
    expect(kindOf(() => budget.take(holder(1), 50))).toBe("done");
    expect(kindOf(() => budget.take(holder(1), 1))).toBe("too-many");
    expect(kindOf(() => budget.take(holder(2), 50))).toBe("done");
    expect(kindOf(() => budget.take(holder(3), 1))).toBe("unavailable");
  });

  it("gives all back, once", () => {
    const budget = new Budget({ bytesMax: 100, userBytesMax: 50 });
    const one = holder(1);
    budget.take(one, 20);
    budget.take(one, 30);
    budget.release(one);
    budget.release(one);
    expect(one.heldBytes).toBe(0);
    budget.take(holder(1), 50);
    expect(kindOf(() => budget.take(holder(1), 1))).toBe("too-many");
  });

  it("lets one through that needs more than there is, when it is alone", () => {
    const budget = new Budget({ bytesMax: 100, userBytesMax: 50 });
    const one = holder(1);
    expect(kindOf(() => budget.take(one, 200))).toBe("done");
    expect(kindOf(() => budget.take(one, 200))).toBe("done");
    expect(kindOf(() => budget.take(holder(2), 1))).toBe("unavailable");
  });
});

describe("reads of large records", () => {
  function read(bytes: number, load: () => Promise<number> = () => Promise.resolve(bytes)): RecordRead<number> {
    return { key: "record", load, sizeOf: (size) => size };
  }

  it("are refused without loading once the size is known", async () => {
    const records = new LargeRecords(new Budget({ bytesMax: 4 * MIB, userBytesMax: 2 * MIB }));
    let loads = 0;
    const load = () => Promise.resolve(((loads += 1), MIB));
    await records.read(holder(1), read(MIB, load));
    await records.read(holder(1), read(MIB, load));
    await expect(records.read(holder(1), read(MIB, load))).rejects.toMatchObject({ kind: "too-many" });
    expect(loads).toBe(2);
  });

  it("learn the size of a burst from the first ones, and let others pass meanwhile", async () => {
    const records = new LargeRecords(new Budget({ bytesMax: 8 * MIB, userBytesMax: 2 * MIB }));
    let loads = 0;
    const load = () => new Promise<number>((resolve) => setTimeout(() => resolve(((loads += 1), MIB)), 5));
    const burst = Array.from({ length: 100 }, () => records.read(holder(1), read(MIB, load)));
    await expect(records.read(holder(2), { ...read(9), key: "another" })).resolves.toBe(9);
    const settled = await Promise.allSettled(burst);
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
    expect(loads).toBeLessThanOrEqual(16);
  });

  it("are counted before they are first read when they were written here", async () => {
    const records = new LargeRecords(new Budget({ bytesMax: 8 * MIB, userBytesMax: 2 * MIB }));
    records.note("record", 2 * MIB);
    await records.read(holder(1), { ...read(MIB), key: "another" });
    await expect(records.read(holder(1), read(2 * MIB))).rejects.toMatchObject({ kind: "too-many" });
  });

  it("are not begun for a client that has left, and small ones are not counted", async () => {
    const records = new LargeRecords(new Budget({ bytesMax: 10, userBytesMax: 10 }));
    await expect(records.read({ ...holder(1), isOver: true }, read(1))).rejects.toMatchObject({ kind: "cancelled" });
    const small = holder(1);
    await Promise.all(Array.from({ length: 50 }, () => records.read(small, read(1000))));
    expect(small.heldBytes).toBe(0);
  });

  it("learn how long they waited for their turn, since their clients' patience ran meanwhile", async () => {
    const records = new LargeRecords(new Budget({ bytesMax: 10, userBytesMax: 10 }));
    const waits: number[] = [];
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const load = async (waitedMs: number) => {
      waits.push(waitedMs);
      await gate;
      return 0;
    };
    const reads = Array.from({ length: 9 }, () => records.read(holder(1), { ...read(0), load }));
    const begun = performance.now();
    await vi.waitFor(() => expect(performance.now() - begun).toBeGreaterThan(50), { interval: 5 });
    open();
    await Promise.all(reads);
    expect(waits).toHaveLength(9);
    expect(waits.at(-1)).toBeGreaterThan(50);
  });

  it("are loaded two at a time over all users, who take turns, once they are known to be large", async () => {
    const records = new LargeRecords(new Budget({ bytesMax: 100 * MIB, userBytesMax: 50 * MIB }));
    const begun: number[] = [];
    const gates: (() => void)[] = [];
    const readOf = (userId: number, index: number) => {
      const key = `record ${index}`;
      records.note(key, MIB);
      return records.read(holder(userId), {
        ...read(MIB),
        key,
        load: async () => {
          begun.push(userId);
          await new Promise<void>((resolve) => gates.push(resolve));
          return MIB;
        },
      });
    };
    const reads = [1, 1, 1, 1, 2, 2].map(readOf);
    for (let ended = 0; ended < reads.length; ended++) {
      await expect.poll(() => begun.length, { interval: 1 }).toBe(Math.min(ended + 2, reads.length));
      gates.shift()?.();
    }
    await Promise.all(reads);
    expect(begun).toEqual([1, 1, 1, 2, 1, 2]);
  });

  it("are loaded once for all calls of a user that ask before the turn of the first has come", async () => {
    const records = new LargeRecords(new Budget({ bytesMax: 100 * MIB, userBytesMax: 50 * MIB }));
    records.note("record", MIB);
    let loads = 0;
    const load = () => Promise.resolve(((loads += 1), MIB));
    const readers = Array.from({ length: 20 }, () => holder(1));
    await Promise.all(readers.map((reader) => records.read(reader, read(MIB, load))));
    expect(loads).toBe(1);
    expect(readers.map(({ heldBytes }) => heldBytes)).toEqual(readers.map(() => MIB));
    await Promise.all([1, 2].map((userId) => records.read(holder(userId), read(MIB, load))));
    expect(loads).toBe(3);
  });

  it("are not loaded for clients that have left before their turn", async () => {
    const records = new LargeRecords(new Budget({ bytesMax: 100 * MIB, userBytesMax: 50 * MIB }));
    records.note("record", MIB);
    const readers = [1, 2, 3].map(() => ({ ...holder(1), isOver: false }));
    const load = vi.fn(() => Promise.resolve(MIB));
    const reads = Promise.allSettled(readers.map((reader) => records.read(reader, read(MIB, load))));
    for (const reader of readers) reader.isOver = true;
    const kinds = (await reads).map((each) => (each.status === "rejected" ? AppError.from(each.reason).kind : "read"));
    expect(kinds).toEqual(["cancelled", "cancelled", "cancelled"]);
    expect(load).not.toHaveBeenCalled();
  });

  it("go more at a time as long as they are small", async () => {
    const records = new LargeRecords(new Budget({ bytesMax: 1000 * MIB, userBytesMax: 1000 * MIB }));
    let inWork = 0;
    let most = 0;
    const load = (bytes: number) => async () => {
      most = Math.max(most, (inWork += 1));
      await Promise.resolve();
      inWork -= 1;
      return bytes;
    };
    const burst = (bytes: number) =>
      Promise.all(Array.from({ length: 100 }, () => records.read(holder(1), { ...read(0), load: load(bytes) })));
    await burst(9);
    expect(most).toBeGreaterThan(8);
    expect(most).toBeLessThanOrEqual(32);
    most = 0;
    await burst(MIB);
    expect(most).toBe(8);
  });
});

const gateway = new GatewayClient();
const OPERATIONS = "/api/v2/products/api/operations";

afterEach(() => gateway.stop());

it("tells of the requests that it refuses because of too much to do, by the code of the answer", async () => {
  const shed: string[] = [];
  const config = { bodyBytesMax: 20_971_520, rateLimitPerMinute: 1 };
  await gateway.start({}, { config, onShed: (code) => shed.push(code) });
  await gateway.get(OPERATIONS);
  const refused = await gateway.get(OPERATIONS);
  const { code } = (await refused.json()) as { code: string };
  expect(refused.status).toBe(429);
  expect(shed).toEqual([code]);
});

it("leaves what a service refuses to the metrics of the service", async () => {
  const shed: string[] = [];
  const listOperations = () => Promise.reject(new AppError("too-many", "Too many.", { retryAfterMs: 1000 }));
  await gateway.start({ operation: { listOperations } }, { onShed: (code) => shed.push(code) });
  expect((await gateway.get(OPERATIONS)).status).toBe(429);
  expect(shed).toEqual([]);
});
