import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { WaitingRoom } from "./waiting-room.js";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Lets each caller wait for a second; returns the names of those that have been released. */
function fill(room: WaitingRoom, ...callers: string[]): string[] {
  const gone: string[] = [];
  for (const caller of callers) void room.wait(1000).then(() => gone.push(caller));
  return gone;
}

it("holds everybody for the time that was named, and not at all for none", async () => {
  const room = new WaitingRoom(10);
  await room.wait(0);
  const gone = fill(room, "a", "b");
  await vi.advanceTimersByTimeAsync(999);
  expect(gone).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(gone).toEqual(["a", "b"]);
});

it("lets those who have waited longest go on when it is full", async () => {
  const gone = fill(new WaitingRoom(2), "a", "b", "c", "d");
  await vi.advanceTimersByTimeAsync(0);
  expect(gone).toEqual(["a", "b"]);
});

it("has a place again when somebody leaves, and fails for them with their reason", async () => {
  const room = new WaitingRoom(2);
  const leaving = new AbortController();
  const left = expect(room.wait(1000, leaving.signal)).rejects.toThrow("left");
  const gone = fill(room, "a");
  leaving.abort(new Error("left"));
  await left;
  void room.wait(1000);
  await vi.advanceTimersByTimeAsync(0);
  expect(gone).toEqual([]);
  await expect(room.wait(1000, AbortSignal.abort(new Error("gone before")))).rejects.toThrow("gone before");
});

it("lets everybody go on when it is emptied", async () => {
  const room = new WaitingRoom(10);
  const gone = fill(room, "a", "b");
  room.empty();
  await vi.advanceTimersByTimeAsync(0);
  expect(gone).toEqual(["a", "b"]);
  expect(vi.getTimerCount()).toBe(0);
});
