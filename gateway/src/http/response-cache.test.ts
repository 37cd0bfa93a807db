import { describe, expect, it } from "vitest";
import { ResponseCache } from "./response-cache.js";

const KEYS = ["a", "b", "c", "d", "e", "f", "g"];
const bodyOf = (bytes: number) => ({ body: new Uint8Array(bytes) });

describe("kept bodies", () => {
  it("share the room between all kinds: the one that was used least recently goes, of whichever kind", () => {
    const kept = new ResponseCache(20_000);
    const [operations, answers] = [
      kept.part<bigint, ReturnType<typeof bodyOf>>(),
      kept.part<string, ReturnType<typeof bodyOf>>(),
    ];
    for (let id = 1n; id <= 10n; id += 1n) operations.set(id, bodyOf(700));
    expect(operations.get(1n)).toBeDefined();
    for (const key of KEYS) answers.set(key, bodyOf(700));
    expect(operations.get(2n)).toBeUndefined();
    expect(operations.get(1n)).toBeDefined();
    expect(operations.get(3n)).toBeDefined();
    expect(KEYS.every((key) => answers.get(key) !== undefined)).toBe(true);
  });

  it("replace the body of a key, and forget it only if it is still that one", () => {
    const kept = new ResponseCache(20_000).part<string, ReturnType<typeof bodyOf>>();
    const [first, second] = [bodyOf(700), bodyOf(700)];
    for (let times = 0; times < 100; times += 1) kept.set("other", bodyOf(700));
    kept.set("key", first);
    kept.set("key", second);
    kept.delete("key", first);
    expect(kept.get("key")).toBe(second);
    expect(kept.get("other")).toBeDefined();
    kept.delete("key", second);
    expect(kept.get("key")).toBeUndefined();
  });

  it("leave out a body that would take much of the room, and the earlier one of its key", () => {
    const kept = new ResponseCache(20_000).part<string, ReturnType<typeof bodyOf>>();
    kept.set("key", bodyOf(700));
    kept.set("key", bodyOf(2000));
    expect(kept.get("key")).toBeUndefined();
  });
});
