import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseQuery } from "./parser.js";
import { queries } from "./testing/queries.js";
import { type Understood, understood } from "./understood.js";

describe("how a query is understood", () => {
  it.each([
    ["kestrel", "kestrel"],
    ["kestrel phone", "all of: kestrel, phone"],
    ['"electric cars" OR #ev -"toy cars"', 'any of: phrase "electric cars", tag #ev; without: phrase "toy cars"'],
    ["a b OR c", "all of: a, (any of: b, c)"],
    ["(a b) OR c", "any of: (all of: a, b), c"],
    ["kes* @ada -x -(y OR z)", "all of: words that begin with kes, mention @ada; without: x, y, z"],
    ["a -(b c)", "a; without: (all of: b, c)"],
    ["kestrel phone, merlin", "(all of: kestrel, phone) or (merlin)"],
    ["OR", "OR"],
    ["🔥 שלום", "all of: 🔥, שלום"],
  ])("says in a sentence how it reads %s", (keywords, sentence) => {
    expect(understood(parseQuery(keywords)).sentence).toBe(sentence);
  });

  it("is a tree of kinds and values", () => {
    expect(understood(parseQuery('"a b" OR #ev -x, kes*'))).toMatchObject({
      terms: [
        {
          text: '"a b" OR #ev -x',
          expression: {
            kind: "all",
            parts: [
              {
                kind: "any",
                parts: [
                  { kind: "phrase", value: "a b" },
                  { kind: "tag", value: "ev" },
                ],
              },
              { kind: "without", parts: [{ kind: "word", value: "x" }] },
            ],
          },
        },
        {
          text: "kes*",
          sentence: "words that begin with kes",
          expression: { kind: "prefix", value: "kes", parts: [] },
        },
      ],
    });
  });

  it("is no deeper than readers of messages allow, and loses nothing", () => {
    const deep = understood(parseQuery(`${"a -(b ".repeat(40)}c${")".repeat(40)}`));
    const [term] = deep.terms;
    expect(depthOf(term!.expression)).toBe(16);
    expect(JSON.stringify(term)).toContain('"part"');
    fc.assert(
      fc.property(queries, (query) => {
        for (const { expression, sentence } of understood(query).terms) {
          expect(depthOf(expression)).toBeLessThanOrEqual(16);
          for (const value of valuesIn(expression)) expect(sentence).toContain(value);
        }
      }),
    );
  });
});

function depthOf({ parts }: Understood): number {
  return 1 + Math.max(0, ...parts.map(depthOf));
}

function valuesIn({ value, parts }: Understood): string[] {
  return parts.length === 0 ? [value] : parts.flatMap(valuesIn);
}
