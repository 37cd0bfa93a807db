import { describe, expect, it } from "vitest";
import { DueLine } from "./due-line.js";

interface Item {
  id: string;
  dueAt: number;
}

/** Records of the owners named by the letters, in order of their due times. */
function dueOf(owners: string): Item[] {
  return [...owners].map((owner, index) => ({ id: `${owner}${index}`, dueAt: index }));
}

const byLetter = { isUrgent: () => false, ownerOf: ({ id }: Item) => id[0] ?? "" };

function takeFrom(line: DueLine<Item>, count: number): string[] {
  return Array.from({ length: count }, () => line.next()?.id[0] ?? "none");
}

describe("the line of due records", () => {
  it("keeps the turns of owners when the records are read again", () => {
    const line = new DueLine<Item>(byLetter);
    line.fill(dueOf("aaaabbbbcccc"));
    expect(takeFrom(line, 2)).toEqual(["a", "b"]);
    line.fill(dueOf("aaabbbcccc"));
    expect(takeFrom(line, 3)).toEqual(["c", "a", "b"]);
  });

  it("gives an owner that had nothing due the next turn", () => {
    const line = new DueLine<Item>(byLetter);
    line.fill(dueOf("aabb"));
    takeFrom(line, 2);
    line.fill(dueOf("abc"));
    expect(takeFrom(line, 4)).toEqual(["c", "a", "b", "none"]);
  });
});
