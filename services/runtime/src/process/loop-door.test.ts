import { beforeEach, describe, expect, it } from "vitest";
import { LoopDoor } from "./loop-door.js";

describe("LoopDoor", () => {
  let [time, begun]: [number, string[]] = [0, []];
  let turns: (() => void)[] = [];
  let door: LoopDoor;

  beforeEach(() => {
    [time, begun, turns] = [0, [], []];
    door = new LoopDoor({ now: () => time, nextTurn: (work) => turns.push(work) });
  });

  /** A request that takes so many milliseconds to begin. */
  const request = (name: string, ms: number) => () => {
    begun.push(name);
    time += ms;
  };
  const turn = () => {
    for (const work of turns.splice(0)) work();
  };

  it("begins a single request at once", () => {
    door.enter("a", request("a1", 1));
    expect(begun).toEqual(["a1"]);
  });

  it("lets a burst begin in parts, between which another caller has a turn", () => {
    for (let number = 1; number <= 9; number++) door.enter("a", request(`a${number}`, 2));
    expect(begun).toEqual(["a1", "a2", "a3"]);
    door.enter("b", request("b1", 2));
    turn();
    expect(begun.slice(3)).toEqual(["a4", "b1", "a5"]);
    while (turns.length > 0) turn();
    expect(begun).toHaveLength(10);
  });

  it("begins at once again when the burst is over and the turn new", () => {
    for (let number = 1; number <= 4; number++) door.enter("a", request(`a${number}`, 3));
    while (turns.length > 0) turn();
    door.enter("a", request("later", 1));
    expect(begun.at(-1)).toBe("later");
  });

  it("begins what comes later only in the next turn, though there is time left", () => {
    door.enterLater("a", request("a1", 1));
    expect(begun).toEqual([]);
    turn();
    expect(begun).toEqual(["a1"]);
  });

  it("goes on when a request that begins adds another", () => {
    door.enter("a", () => door.enter("a", request("inner", 1)));
    expect(begun).toEqual(["inner"]);
  });
});
