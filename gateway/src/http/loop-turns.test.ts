import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { LoopTurns } from "./loop-turns.js";

describe("turns of the event loop", () => {
  it("go to the keys one after the other, however much one of them asks for", async () => {
    const turns = new LoopTurns<string>(1);
    const done: string[] = [];
    const all = ["a", "a", "a", "b", "b", "c"].map(async (key) => {
      await turns.next(key);
      done.push(key);
    });
    await Promise.all(all);
    expect(done).toEqual(["a", "b", "c", "a", "b", "a"]);
  });

  it("do no more than so much work at a time", async () => {
    const turns = new LoopTurns<string>(2);
    let done = 0;
    for (let count = 0; count < 5; count++) turns.take("a", () => done++);
    const after: number[] = [];
    for (let turn = 0; turn < 4; turn++) {
      await nextTurn();
      after.push(done);
    }
    expect(after.at(-1)).toBe(5);
    const steps = after.map((count, index) => count - (after[index - 1] ?? 0));
    expect(Math.max(...steps)).toBeLessThanOrEqual(2);
  });
});
