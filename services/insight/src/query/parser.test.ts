import { repeats } from "@hourglass/runtime/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Expression, termsOf } from "./ast.js";
import { QuerySyntaxError } from "./lexer.js";
import { keywordMistakes, keywordWarnings, parseQuery } from "./parser.js";

const word = (text: string): Expression => ({ kind: "word", text });
const expressionOf = (text: string): Expression | undefined => parseQuery(text).terms[0]?.expression;

/** The position that an error names, checked to stand in its message too. */
function positionOfError(text: string): number {
  try {
    parseQuery(text);
  } catch (error) {
    if (!(error instanceof QuerySyntaxError)) throw error;
    expect(error.message).toContain(`at character ${error.position}.`);
    return error.position;
  }
  throw new Error(`${text} was accepted`);
}

describe("parseQuery", () => {
  it("requires all words of a term", () => {
    expect(expressionOf("kestrel phone")).toEqual({ kind: "and", operands: [word("kestrel"), word("phone")] });
  });

  it("binds OR tighter than a space", () => {
    const either = { kind: "or", operands: [word("b"), word("c")] };
    expect(expressionOf("a b OR c")).toEqual({ kind: "and", operands: [word("a"), either] });
    expect(expressionOf("(a b) OR c")).toMatchObject({ kind: "or", operands: [{ kind: "and" }, word("c")] });
  });

  it("reads phrases, prefixes, tags, mentions and exclusions", () => {
    expect(expressionOf('"a b" kes* #tag @name_1 -x')).toEqual({
      kind: "and",
      operands: [
        { kind: "phrase", text: "a b" },
        { kind: "prefix", text: "kes" },
        { kind: "tag", name: "tag" },
        { kind: "mention", name: "name_1" },
        { kind: "not", operand: word("x") },
      ],
    });
  });

  it("excludes groups", () => {
    expect(expressionOf("a -(b OR c)")).toMatchObject({
      operands: [word("a"), { kind: "not", operand: { kind: "or", operands: [word("b"), word("c")] } }],
    });
  });

  it("takes OR that stands between no two operands as the word", () => {
    expect(expressionOf("OR")).toEqual(word("OR"));
    expect(expressionOf("a OR")).toEqual({ kind: "and", operands: [word("a"), word("OR")] });
    expect(expressionOf("a or b")).toMatchObject({ kind: "and", operands: [word("a"), word("or"), word("b")] });
  });

  it("takes AND and NOT between two operands, and && and ||, as they are meant elsewhere", () => {
    expect(expressionOf("a AND b")).toEqual(expressionOf("a b"));
    expect(expressionOf("a && b")).toEqual(expressionOf("a b"));
    expect(expressionOf("a || b")).toEqual(expressionOf("a OR b"));
    expect(expressionOf("a NOT b")).toEqual(expressionOf("a -b"));
    expect(expressionOf("a AND NOT (b OR c)")).toEqual(expressionOf("a -(b OR c)"));
    expect(expressionOf("a OR b NOT c")).toEqual(expressionOf("a OR b -c"));
    expect(expressionOf("a AND b OR c")).toEqual(expressionOf("(a b) OR c"));
    expect(expressionOf("a OR b AND NOT c")).toEqual(expressionOf("a OR (b -c)"));
    expect(expressionOf("a AND")).toEqual({ kind: "and", operands: [word("a"), word("AND")] });
    expect(expressionOf("NOT a")).toEqual({ kind: "and", operands: [word("NOT"), word("a")] });
    expect(expressionOf('a "AND" b')).toMatchObject({
      operands: [word("a"), { kind: "phrase", text: "AND" }, word("b")],
    });
    expect(positionOfError("a OR NOT b")).toBe(6);
    expect(positionOfError("a OR -b AND -c")).toBe(6);
  });

  it("takes prefixes of two letters in Hangul and Han, and of three in others", () => {
    for (const text of ["삼성*", "東京*", "kes*", "アイフ*"])
      expect(expressionOf(text)).toMatchObject({ kind: "prefix" });
  });

  it("takes unknown operators and signs inside words as parts of the words", () => {
    expect(expressionOf("lang:en")).toEqual(word("lang:en"));
    expect(expressionOf("e-mail")).toEqual(word("e-mail"));
    expect(expressionOf("c++")).toEqual(word("c++"));
  });

  it("accepts emoji and words of any script", () => {
    expect(expressionOf("🔥")).toEqual(word("🔥"));
    expect(expressionOf("кестрел")).toEqual(word("кестрел"));
    expect(expressionOf("東京 地震")).toEqual({ kind: "and", operands: [word("東京"), word("地震")] });
  });

  it.each(['"a b" c', "“a b” c", "„a b“ c", "＂a b＂ c", "«a b» c", "「a b」 c"])(
    "takes %s as a phrase and a word",
    (text) => {
      expect(expressionOf(text)).toEqual({ kind: "and", operands: [{ kind: "phrase", text: "a b" }, word("c")] });
    },
  );

  it("takes full-width signs and dashes before a word as the plain ones", () => {
    expect(expressionOf("（a OR b）　－c")).toEqual(expressionOf("(a OR b) -c"));
    expect(expressionOf("a –c")).toEqual(expressionOf("a -c"));
    expect(expressionOf("＃tag")).toEqual(expressionOf("#tag"));
  });

  it("reads a group as deep as 500 characters allow", () => {
    expect(expressionOf(`${"(".repeat(249)}ab${")".repeat(249)}`)).toEqual(word("ab"));
    expect(positionOfError("(".repeat(500))).toBe(501);
    expect(positionOfError(")".repeat(500))).toBe(1);
  });
});

describe("the terms of a query", () => {
  it("are separated by commas of all widths, but not by those in quotes", () => {
    expect(parseQuery('"a, b", c').terms.map(({ text }) => text)).toEqual(['"a, b"', "c"]);
    expect(termsOf(parseQuery("a，b、c،d"))).toBe("a, b, c, d");
  });

  it("are not divided inside a number", () => {
    const textsOf = (keywords: string) => parseQuery(keywords).terms.map(({ text }) => text);
    expect(textsOf("1,000,b")).toEqual(["1,000", "b"]);
    expect(textsOf("12,345,678 b, 1,00,000")).toEqual(["12,345,678 b", "1,00,000"]);
    expect(textsOf("2025,2026,10,20")).toEqual(["2025", "2026", "10", "20"]);
    expect(textsOf("a1,000")).toEqual(["a1", "000"]);
  });

  it("stay as the user wrote them, trimmed, without duplicates", () => {
    expect(termsOf(parseQuery("  kestrel  (phone OR tablet) -case ,Kestrel, “x y”,kestrel "))).toBe(
      "kestrel  (phone OR tablet) -case, Kestrel, “x y”",
    );
  });

  it("are ten at most", () => {
    expect(parseQuery("a,b,c,d,e,f,g,h,i,j").terms).toHaveLength(10);
    expect(positionOfError("a,b,c,d,e,f,g,h,i,j,k")).toBe(20);
  });
});

describe("the error of keywords", () => {
  it.each([
    ["", 1],
    ["   ", 4],
    [",", 1],
    ["a,,b", 3],
    ["a,", 3],
    ["a ()", 4],
    ["(a", 1],
    ["a b)", 4],
    ["(a, b)", 3],
    ['a "b', 3],
    ['a ""', 3],
    ['"++"', 1],
    ["a ++", 3],
    ["#", 1],
    ["a @ b", 3],
    ["#++", 1],
    ["-a", 1],
    ["a, -b -c", 4],
    ["a (-b)", 4],
    ["a - b", 3],
    ["a --b", 3],
    ["a OR -b", 6],
    ["-a OR b", 1],
    ["ab*", 1],
    ["京*", 1],
    ["ア京*", 1],
    ["*", 1],
    ["e-mai*", 1],
    ["#abc*", 1],
    ["a\tb", 2],
    ["a\u0000", 2],
    ["a\nb", 2],
    ["𝒳🔥 ++", 4],
    ["https://example.com", 1],
  ])("of %j names character %i", (text, position) => {
    expect(positionOfError(text)).toBe(position);
  });

  it("counts the 500 characters as code points", () => {
    expect(parseQuery("𝒳".repeat(500)).terms).toHaveLength(1);
    expect(positionOfError("𝒳".repeat(501))).toBe(501);
  });

  it("says what to do", () => {
    expect(() => parseQuery('a "b')).toThrow(
      "A quote opens at character 3. Close it with another quote, or remove it.",
    );
  });
});

/** What is wrong with keywords, and the text at its place. */
function mistakesIn(keywords: string): [string, number, number][] {
  return keywordMistakes(keywords).map(({ field, start = NaN, end = NaN }) => {
    expect(field).toBe("query.keywords");
    return [keywords.slice(start, end), start, end];
  });
}

describe("the place of a mistake in UTF-16 code units", () => {
  it.each<[string, string, [string, number, number][]]>([
    ["an empty term", "a,,b", [[",", 2, 3]]],
    ["an end that is missing", "a,", [["", 2, 2]]],
    ["empty parentheses", "a ()", [[")", 3, 4]]],
    ["a parenthesis that is not closed", "b (a", [["(", 2, 3]]],
    ["one that was not opened", "a b)", [[")", 3, 4]]],
    ["a comma in parentheses", "(a, b)", [[",", 2, 3]]],
    ["a quote that is not closed", 'a "b', [['"', 2, 3]]],
    ["quotes without a word", 'a ""', [['""', 2, 4]]],
    ["a word without letters", "a ++ b", [["++", 2, 4]]],
    ["an address", "a https://example.com", [["https://example.com", 2, 21]]],
    ["a sign without a name", "a # b", [["#", 2, 3]]],
    ["a mention without a name", "a @ b", [["@", 2, 3]]],
    ["only exclusions", "a, -b -c", [["-b -c", 3, 8]]],
    ["only exclusions in parentheses", "a (-b)", [["-b", 3, 5]]],
    ["an exclusion of nothing", "a - b", [["-", 2, 3]]],
    ["an excluded alternative", "a OR -(b OR c)", [["-(b OR c)", 5, 14]]],
    ["an excluded first alternative", "-a OR b", [["-a", 0, 2]]],
    ["a * after too few letters", "x ab*", [["ab*", 2, 5]]],
    ["a * after several words", "x e-mai*", [["e-mai*", 2, 8]]],
    ["a * after a name", "x #abc*", [["#abc*", 2, 7]]],
    ["a control character", "a\tb", [["\t", 1, 2]]],
    ["more than ten terms", "a,b,c,d,e,f,g,h,i,j,k", [[",", 19, 20]]],
    ["what is too long", `${"𝒳".repeat(500)}ab`, [["ab", 1000, 1002]]],
    ["emoji before it", "👩‍👩‍👧 🔥 ++", [["++", 12, 14]]],
    ["text from right to left before it", "שלום ++ עולם", [["++", 5, 7]]],
    ["text from right to left that is not closed", "שלום “עולם", [["“", 5, 6]]],
    ["Arabic with tatweel and marks", "كِتَـاب, , x", [[",", 9, 10]]],
  ])("is that of %s", (_, keywords, places) => {
    expect(mistakesIn(keywords)).toEqual(places);
  });

  it("is given for each of several mistakes, in their order", () => {
    expect(mistakesIn("ab* OR -c 🔥 #, -d")).toEqual([
      ["ab*", 0, 3],
      ["-c", 7, 9],
      ["#", 13, 14],
      ["-d", 16, 18],
    ]);
    expect(mistakesIn('++ "a')).toEqual([['"', 3, 4]]);
    expect(mistakesIn("a\tb\nc")).toHaveLength(2);
    expect(keywordMistakes("# ".repeat(200))).toHaveLength(20);
  });

  it("is missing where nothing is wrong", () => {
    expect(mistakesIn('"a b" OR 🔥 -c')).toEqual([]);
  });
});

describe("the warnings of keywords", () => {
  it.each<[string, string[], string]>([
    ["brand NOT jobs", ["NOT"], "brand -jobs"],
    ["brand AND NOT jobs", ["AND", "NOT"], "brand -jobs"],
    ["brand AND jobs", ["AND"], "brand jobs"],
    ["a AND b OR c", ["AND"], "(a b) OR c"],
    ["a OR b AND c", ["AND"], "a OR (b c)"],
    ["brand not jobs", ["not"], "brand -jobs"],
    ["brand and not jobs", ["and", "not"], "brand -jobs"],
    ["brand and jobs", ["and"], "brand jobs"],
    ["brand Or jobs", ["Or"], "brand OR jobs"],
    ["brand or not jobs", ["or", "not"], 'brand "or" "not" jobs'],
    ["a && b", ["&&"], "a b"],
    ["a || b", ["||"], "a OR b"],
    ["a||b", ["a||b"], "a OR b"],
    ["kestrel OR", ["OR"], "kestrel"],
    ["OR kestrel", ["OR"], "kestrel"],
    ["kestrel OR, peregrine", ["OR"], "kestrel, peregrine"],
    ["(kestrel OR) b", ["OR"], "(kestrel) b"],
    ["a OR OR b", ["OR"], "a OR b"],
    ["a AND AND b", ["AND", "AND"], "a b"],
    ["a AND", ["AND"], "a"],
    ["NOT jobs brand", ["NOT"], "-jobs brand"],
    ["NOT jobs", ["NOT"], '"NOT" jobs'],
    ["a NEAR/3 b", ["NEAR/3"], "a b"],
    ["a NEAR b", ["NEAR"], "a b"],
    ['"a b"~5', ["~5"], '"a b"'],
    ["brand~2 x", ["brand~2"], "brand x"],
    ["brand !jobs", ["!jobs"], "brand -jobs"],
    ["brand lang:en", ["lang:en"], "brand"],
    ["*phone", ["*phone"], "phone"],
    ["tele*phone", ["tele*phone"], "tele*"],
    ["a; b", ["a;"], "a, b"],
    ["‹kestrel phone› x", ["‹kestrel phone›"], '"kestrel phone" x'],
    ["'kestrel phone'", ["'kestrel phone'"], '"kestrel phone"'],
    ["《東京 地震》", ["《東京 地震》"], '"東京 地震"'],
    ["👩‍👩‍👧 NOT 🔥", ["NOT"], "👩‍👩‍👧 -🔥"],
  ])("of %s stand at %j and advise %s", (keywords, places, fix) => {
    const warnings = keywordWarnings(keywords);
    expect(warnings.map(({ start, end }) => keywords.slice(start, end))).toEqual(places);
    for (const warning of warnings) expect(warning.fix).toBe(fix);
    expect(keywordWarnings(fix)).toEqual([]);
  });

  it.each([
    "OR",
    "NOT",
    '"salt and pepper" OR "not bad"',
    "brand, and",
    "kestrel (phone OR tablet) -case",
    "l'iphone o'clock",
    "«a b» „c d“",
    "rock'n'roll R&D c++ e-mail",
    "1,000",
  ])("are none of %s", (keywords) => {
    expect(keywordWarnings(keywords)).toEqual([]);
  });

  it("advise what has no warnings, whatever is written", () => {
    const parts = [
      "a",
      "bcd",
      "AND",
      "OR",
      "NOT",
      "and",
      "or",
      "not",
      "&&",
      "||",
      "NEAR/2",
      "(",
      ")",
      '"',
      "-",
      ",",
      "'",
      "!x",
      "y~2",
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...parts, ...parts.slice(0, 6)), { maxLength: 9 }), (written) => {
        for (const { fix, start, end } of keywordWarnings(written.join(" "))) {
          expect(start).toBeLessThan(end);
          if (fix !== undefined) expect(keywordWarnings(fix)).toEqual([]);
        }
      }),
      { numRuns: repeats(2000) },
    );
  });
});
