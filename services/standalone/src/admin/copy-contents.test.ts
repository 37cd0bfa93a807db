import { expect, it } from "vitest";
import { canonical, Digest } from "./copy-contents.js";

function digestOf(...members: string[]): Digest {
  const digest = new Digest();
  for (const member of members) digest.add(member);
  return digest;
}

it("is the same in any order, and another for other members", () => {
  expect(digestOf("a", "b", "c").checksum).toBe(digestOf("c", "a", "b").checksum);
  expect(digestOf("a", "b").equals(digestOf("b", "a"))).toBe(true);
  for (const other of [digestOf("a"), digestOf("a", "c"), digestOf("a", "b", "b"), digestOf()]) {
    expect(digestOf("a", "b").equals(other)).toBe(false);
  }
  expect(digestOf("a").checksum).toMatch(/^[0-9a-f]{64}$/);
});

it("reads documents whatever the order of their fields", () => {
  const one = JSON.parse('{"id":1,"b":{"__proto__":1,"y":2,"x":[{"d":1,"c":2}]},"2":0,"a":null}') as unknown;
  const two = JSON.parse('{"2":0,"a":null,"b":{"x":[{"c":2,"d":1}],"y":2,"__proto__":1},"id":1}') as unknown;
  expect(canonical(one)).toBe(canonical(two));
  expect(canonical(one)).toContain('"__proto__":1');
  expect(canonical([1, 2])).not.toBe(canonical([2, 1]));
  expect(canonical({ a: "1" })).not.toBe(canonical({ a: 1 }));
});
