import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { AppError } from "../errors/app-error.js";
import { CallLifetime } from "./call-lifetime.js";

const forever = (): Promise<never> => new Promise(() => undefined);

describe("the lifetime of a call", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("settles as its work does", async () => {
    const failure = new Error("work failed");
    expect(await new CallLifetime(1000).run(() => Promise.resolve(7))).toBe(7);
    await expect(new CallLifetime(1000).run(() => Promise.reject(failure))).rejects.toBe(failure);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("fails with the deadline, and tells a signal made before or after", async () => {
    const lifetime = new CallLifetime(1000);
    const before = lifetime.signal;
    const failed = expect(lifetime.run(forever)).rejects.toMatchObject({ kind: "deadline" });
    await vi.advanceTimersByTimeAsync(999);
    expect(before.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await failed;
    expect(before.reason).toMatchObject({ kind: "deadline" });

    const late = new CallLifetime(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(late.signal.reason).toMatchObject({ kind: "deadline" });
  });

  it("waits any time without a deadline, and with one too far away for a timer", () => {
    new CallLifetime().end();
    new CallLifetime(2 ** 40).end();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("is cancelled with its caller, for the reason an outer call gives", async () => {
    const plain = new AbortController();
    const cancelled = expect(new CallLifetime(1000, plain.signal).run(forever)).rejects.toMatchObject({
      kind: "cancelled",
    });
    plain.abort();
    await cancelled;
    const outer = new CallLifetime(500);
    const inner = expect(new CallLifetime(1000, outer.signal).run(forever)).rejects.toMatchObject({ kind: "deadline" });
    await vi.advanceTimersByTimeAsync(500);
    await inner;
  });

  it("says deadline, not cancelled, when the caller left because of it", async () => {
    const lifetime = new CallLifetime(1000);
    const failed = expect(lifetime.run(forever)).rejects.toMatchObject({ kind: "deadline" });
    await vi.advanceTimersByTimeAsync(998);
    lifetime.cancel();
    await failed;
  });

  it("begins no work for a caller who has left", async () => {
    const work = vi.fn(forever);
    await expect(new CallLifetime(1000, AbortSignal.abort()).run(work)).rejects.toBeInstanceOf(AppError);
    expect(work).not.toHaveBeenCalled();
  });

  it("aborts nothing once it has ended", async () => {
    const lifetime = new CallLifetime(1000);
    const { signal } = lifetime;
    await lifetime.run(() => Promise.resolve());
    lifetime.cancel();
    await vi.advanceTimersByTimeAsync(2000);
    expect(signal.aborted).toBe(false);
  });

  it("leaves no listener on a signal that many calls share", async () => {
    const shared = new AbortController();
    const remove = vi.spyOn(shared.signal, "removeEventListener");
    await new CallLifetime(1000, shared.signal).run(() => Promise.resolve());
    expect(remove).toHaveBeenCalledTimes(1);
  });

  it("passes on what a stream holds, and its failure", async () => {
    const failure = new Error("stream failed");
    const seen: number[] = [];
    const read = async () => {
      for await (const item of new CallLifetime(1000).stream(numbers(failure))) seen.push(item);
    };
    await expect(read()).rejects.toBe(failure);
    expect(seen).toEqual([1, 2]);
  });

  it("gives up a stream whose source does not answer, without waiting for it", async () => {
    const lifetime = new CallLifetime(1000);
    const next = expect(lifetime.stream(stuck()).next()).rejects.toMatchObject({ kind: "deadline" });
    await vi.advanceTimersByTimeAsync(1000);
    await next;
  });

  it("ends the source, and aborts its signal, when a stream is read no further", async () => {
    const lifetime = new CallLifetime();
    const { signal } = lifetime;
    const ended = vi.fn();
    for await (const item of lifetime.stream(numbers(undefined, ended))) {
      expect(item).toBe(1);
      break;
    }
    expect(ended).toHaveBeenCalledTimes(1);
    expect(signal.reason).toMatchObject({ kind: "cancelled" });
  });
});

async function* numbers(failure?: Error, ended?: () => void): AsyncIterable<number> {
  try {
    yield 1;
    yield 2;
    await Promise.resolve();
    if (failure !== undefined) throw failure;
  } finally {
    ended?.();
  }
}

async function* stuck(): AsyncIterable<number> {
  await forever();
  yield 1;
}
