import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Collection } from "../store/store.js";
import { EndWaiters } from "./end-waiters.js";
import type { JobRecord } from "./job.js";

/** Unfinished jobs by their ids, as a store would tell of them; counts the looks. */
function storeOf(unfinished: Set<number>) {
  const looks = { counts: 0, finds: 0 };
  const among = ({ id }: { id?: unknown }) => (id as { in: number[] }).in.filter((each) => unfinished.has(each));
  const records = {
    count: (filter: object) => Promise.resolve(((looks.counts += 1), among(filter).length)),
    find: (filter: object) => Promise.resolve(((looks.finds += 1), among(filter).map((id) => ({ id })))),
  } as unknown as Pick<Collection<JobRecord>, "count" | "find">;
  return { waiters: new EndWaiters(records), looks };
}

const never = new AbortController().signal;

describe("those who wait for the end of a job", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("are told of ends and deletions in other processes by one look for all of them", async () => {
    const unfinished = new Set([1, 2]);
    const { waiters, looks } = storeOf(unfinished);
    const answered: number[] = [];
    const waits = [1, 2, 1, 2, 1].map((id) =>
      waiters.wait({ id, timeoutMs: 60_000, signal: never }).then(() => answered.push(id)),
    );
    await vi.advanceTimersByTimeAsync(1_300);
    expect(answered).toEqual([]);
    expect(looks).toEqual({ counts: 3, finds: 0 });
    unfinished.delete(2);
    await vi.advanceTimersByTimeAsync(500);
    expect(answered).toEqual([2, 2]);
    unfinished.clear();
    await vi.advanceTimersByTimeAsync(500);
    await Promise.all(waits);
  });

  it("look no more once nobody waits", async () => {
    const { waiters, looks } = storeOf(new Set([1]));
    const gone = new AbortController();
    const wait = waiters.wait({ id: 1, timeoutMs: 60_000, signal: gone.signal });
    gone.abort();
    await wait;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(looks.counts).toBeLessThanOrEqual(1);
  });

  it("are at most 200 of one caller, whose places are free again after the wait", async () => {
    const { waiters } = storeOf(new Set([1]));
    const wait = (callerId: number) => waiters.wait({ id: 1, callerId, timeoutMs: 60_000, signal: never });
    const waits = Array.from({ length: 200 }, () => wait(7));
    await expect(wait(7)).rejects.toMatchObject({ kind: "too-many", code: "too_many_waits" });
    waits.push(wait(8));
    waiters.announce(1);
    await Promise.all(waits);
    const next = wait(7);
    waiters.announce(1);
    await next;
  });
});
