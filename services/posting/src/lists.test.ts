import fc from "fast-check";
import { expect, it } from "vitest";
import { toCsvCell } from "./columns.js";
import { toList } from "./lists.js";

it.each([
  ["a, b", ["a", "b"]],
  ["a,b,", ["a", "b"]],
  ["a;b", ["a", "b"]],
  ["a | b", ["a", "b"]],
  ["a\nb", ["a", "b"]],
  ["#a #b", ["a", "b"]],
  ["#a, #b", ["a", "b"]],
  ["#a#b", ["a", "b"]],
  ["@a @b@example.org", ["@a", "@b@example.org"]],
  ["['a', 'b']", ["a", "b"]],
  ["['it\\'s', \"b, c\"]", ["it's", "b, c"]],
  ["('a', 'b')", ["a", "b"]],
  ["{'a', 'b'}", ["a", "b"]],
  ["{a,b}", ["a", "b"]],
  ['c("a", "b")', ["a", "b"]],
  ["[a, b]", ["a", "b"]],
  ["['a', nan]", ["a"]],
  ['["a", 1, null]', ["a", "1"]],
  ["[]", []],
  ["NA", []],
  ["two words", ["two words"]],
  ["https://a.example/1,2;3 , https://a.example/x", ["https://a.example/1,2;3", "https://a.example/x"]],
  ["https://a.example/1 https://a.example/2", ["https://a.example/1", "https://a.example/2"]],
])("the list %j has the items %j", (text, items) => {
  expect(toList(text)).toEqual(items);
});

const CHARACTERS = Array.from("ab ,;|#'\"[]{}()\\\n-NA:/");

it("holds what our own exports write", () => {
  const item = fc.string({ unit: fc.constantFrom(...CHARACTERS), minLength: 1, maxLength: 6 });
  const items = fc.array(item, { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(items, (given) => {
      const cell = toCsvCell("text_post_tags", given);
      const isSafe = cell.startsWith("'") && /^'+[\s]*[=+\-@]/.test(cell);
      expect(toList(isSafe ? cell.slice(1) : cell)).toEqual(given);
    }),
  );
});

it.each([" ", "#", "'", "[", "a,", ";", '"', "\\'"])("of very many %j is read in little time", (character) => {
  const text = character.repeat(300_000);
  for (const list of [text, `[${text}]`, `#${text}`, `@${text}`, `https://${text}`]) {
    expect(toList(list).length).toBeLessThanOrEqual(1100);
  }
});
