import { describe, expect, it } from "vitest";
import { DueQueue } from "./schedule.js";

interface Item {
  id: string;
  dueAt: number;
}

/** Records of the owners named by the letters, in order of their due times. */
function dueOf(owners: string): Item[] {
  return [...owners].map((owner, index) => ({ id: `${owner}${index}`, dueAt: index }));
}

const byLetter = { isUrgent: () => false, ownerOf: ({ id }: Item) => id[0] ?? "" };

function takeFrom(queue: DueQueue<Item>, count: number): string[] {
  return Array.from({ length: count }, () => queue.next()?.id[0] ?? "none");
}

describe("the queue of due records", () => {
  it("keeps the turns of owners when the records are read again", () => {
    const queue = new DueQueue<Item>(byLetter);
    queue.fill(dueOf("aaaabbbbcccc"));
    expect(takeFrom(queue, 2)).toEqual(["a", "b"]);
    queue.fill(dueOf("aaabbbcccc"));
    expect(takeFrom(queue, 3)).toEqual(["c", "a", "b"]);
  });

  it("gives an owner that had nothing due the next turn", () => {
    const queue = new DueQueue<Item>(byLetter);
    queue.fill(dueOf("aabb"));
    takeFrom(queue, 2);
    queue.fill(dueOf("abc"));
    expect(takeFrom(queue, 4)).toEqual(["c", "a", "b", "none"]);
  });
});
