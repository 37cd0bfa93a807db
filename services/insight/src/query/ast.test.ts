import { repeats } from "@hourglass/runtime/testing";
import { fold } from "@hourglass/runtime/text";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Expression, printExpression, printQuery } from "./ast.js";
import { compileQuery } from "./matcher.js";
import { QuerySyntaxError } from "./lexer.js";
import { parseQuery } from "./parser.js";
import { postings, queries } from "./testing/queries.js";

describe("printQuery", () => {
  it("writes what parses to the same query", () => {
    fc.assert(
      fc.property(queries, (query) => {
        const reread = parseQuery(printQuery(query));
        const expressions = query.terms.map(({ expression }) => expression);
        // Terms that are written alike are one.
        const distinct = new Map(query.terms.map(({ text, expression }) => [text, expression]));
        expect([...distinct.values()].length).toBe(reread.terms.length);
        if (reread.terms.length === expressions.length) {
          expect(reread.terms.map(({ expression }) => expression)).toMatchObject(expressions.map(withQuotedOr));
        }
      }),
    );
  });

  it("keeps what a query matches", () => {
    fc.assert(
      fc.property(queries, postings, (query, posting) => {
        const printed = parseQuery(printQuery(query));
        expect(compileQuery(printed).match(posting).matches).toBe(compileQuery(query).match(posting).matches);
      }),
    );
  });

  it("writes whatever can be parsed so that it parses to the same, and nothing fails in another way", () => {
    const parts = [
      "a",
      "bcd",
      "OR",
      " ",
      " ",
      "(",
      ")",
      '"',
      "-",
      ",",
      "#",
      "@",
      "*",
      "“",
      "、",
      "（",
      "ＯＲ",
      "東京",
      "é",
      "'s",
      ".",
      "🔥",
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 14 }), (written) => {
        const expressions = expressionsOf(written.join(""));
        if (expressions === undefined) return;
        const printed = printQuery({ terms: expressions.map((expression) => ({ text: "", expression })) });
        expect(expressionsOf(printed)?.map(withQuotedOr)).toEqual(expressions.map(withQuotedOr));
      }),
      { numRuns: repeats(3000) },
    );
  });

  it.each([
    ["（kestrel）　（phone OR “smart phone”） –case", 'kestrel phone OR "smart phone" -case'],
    ["OR", '"OR"'],
    ["((a b)) OR c, -(x (y OR z)) d", "(a b) OR c, -(x y OR z) d"],
  ])("writes %s as %s", (written, printed) => {
    expect(printQuery(parseQuery(written))).toBe(printed);
    expect(printQuery(parseQuery(printed))).toBe(printed);
  });
});

/** Undefined for what is refused. Terms that differ only in parentheses, case or width are one once they are printed. */
function expressionsOf(text: string): Expression[] | undefined {
  try {
    const { terms } = parseQuery(text);
    const distinct = new Map(terms.map(({ expression }) => [fold(printExpression(expression)), expression]));
    return [...distinct.values()];
  } catch (error) {
    if (error instanceof QuerySyntaxError) return undefined;
    throw error;
  }
}

/** The word OR is written as a phrase, which finds the same. */
function withQuotedOr<T>(expression: T): T {
  const json = JSON.stringify(expression).replaceAll(/"word","text":"(OR|ＯＲ)"/gu, '"phrase","text":"$1"');
  return JSON.parse(json) as T;
}
