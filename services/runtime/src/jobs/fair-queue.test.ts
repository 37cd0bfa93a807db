import { describe, expect, it } from "vitest";
import { FairQueue } from "./fair-queue.js";

interface Item {
  id: string;
  dueAt: number;
}

/** Items of the owners named by the letters, in the order of their arrival. */
function dueOf(owners: string): Item[] {
  return [...owners].map((owner, index) => ({ id: `${owner}${index}`, dueAt: index }));
}

const byLetter = { isUrgent: () => false, ownerOf: ({ id }: Item) => id[0] ?? "", costOf: () => 1 };

function takeFrom(queue: FairQueue<Item>, count: number): string[] {
  return Array.from({ length: count }, () => queue.take(1)[0]?.id[0] ?? "none");
}

describe("a fair queue", () => {
  it("keeps the turns of owners when the records are read again", () => {
    const queue = new FairQueue<Item>(byLetter);
    queue.fill(dueOf("aaaabbbbcccc"));
    expect(takeFrom(queue, 2)).toEqual(["a", "b"]);
    queue.fill(dueOf("aaabbbcccc"));
    expect(takeFrom(queue, 3)).toEqual(["c", "a", "b"]);
  });

  it("gives an owner that had nothing due the next turn", () => {
    const queue = new FairQueue<Item>(byLetter);
    queue.fill(dueOf("aabb"));
    takeFrom(queue, 2);
    queue.fill(dueOf("abc"));
    expect(takeFrom(queue, 4)).toEqual(["c", "a", "b", "none"]);
  });

  it("gives an owner no credit for the time in which it had nothing", () => {
    const queue = new FairQueue<Item>(byLetter);
    queue.fill(dueOf("aaaaaaaa"));
    takeFrom(queue, 4);
    queue.fill(dueOf("aaaabbbb"));
    expect(takeFrom(queue, 6).sort().join("")).toBe("aaabbb");
  });

  it("counts what an item costs its owner", () => {
    const queue = new FairQueue<Item>({ ...byLetter, costOf: ({ id }) => (id.startsWith("a") ? 3 : 1) });
    queue.fill(dueOf("aaabbbbbb"));
    expect(takeFrom(queue, 9).join("")).toBe("bbabbbaba");
  });
});
