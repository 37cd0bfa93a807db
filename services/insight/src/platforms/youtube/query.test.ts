import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseQuery } from "../../query/parser.js";
import type { SearchedTexts } from "../../query/matcher.js";
import { findsNested } from "../../query/testing/dialects.js";
import { expectNeverNarrower } from "../../query/testing/never-narrower.js";
import { wideKeywords } from "../../query/testing/queries.js";
import { queriesFor } from "./query.js";

const PIECE = /-?(?:"[^"]*"|[^\s"|]+)(?:\|(?:"[^"]*"|[^\s"|]+))*/gu;
const ENCODED_MAX = 1200;

const asked = (keywords: string): readonly string[] => queriesFor(parseQuery(keywords)).requests;

/** A space requires both; `|` binds tighter. */
function finds(request: string, posting: SearchedTexts): boolean {
  expect(request.replaceAll(PIECE, "").trim()).toBe("");
  return (request.match(PIECE) ?? []).every((piece) => {
    const isExcluded = piece.startsWith("-");
    const alternatives = piece.slice(isExcluded ? 1 : 0).match(/"[^"]*"|[^"|]+/gu) ?? [];
    expect(isExcluded && alternatives.length > 1).toBe(false);
    return alternatives.some((each) => findsNested(each, posting)) !== isExcluded;
  });
}

/** YouTube states mentions in texts only. */
function stated({ text, mentions = [], ...posting }: SearchedTexts): SearchedTexts {
  return { ...posting, text: [text, ...mentions.map((name) => `@${name}`)].join(" ") };
}

describe("a query for YouTube", () => {
  it.each([
    ["kestrel", ["kestrel"]],
    ["kestrel phone", ["kestrel phone"]],
    ['"kestrel phone"', ['"kestrel phone"']],
    ["kestrel, peregrine", ["kestrel|peregrine"]],
    ['"a, b", c', ['"a, b"|c']],
    ["kestrel phone, peregrine", ["kestrel phone", "peregrine"]],
    ["kestrel (phone OR tablet) -case", ["kestrel phone|tablet -case"]],
    ["a -(b OR c)", ["a -b -c"]],
    ["#kestrel", ["#kestrel"]],
    ["@kestrel_eg", ['"kestrel_eg"']],
    ["lang:en kestrel", ['"lang:en" kestrel']],
    ["a|b", ['"a|b"']],
    ["OR", ['"OR"']],
  ])("%s is sent as %j", (keywords, requests) => {
    expect(asked(keywords)).toEqual(requests);
  });

  it("that YouTube cannot be asked, such as kes*, is not sent", () => {
    expect(queriesFor(parseQuery("kes*"))).toMatchObject({ requests: [], unsent: ["kes*"] });
  });

  it("never excludes what is said wider than it is meant", () => {
    expect(queriesFor(parseQuery("kestrel -@shop"))).toMatchObject({ requests: ["kestrel"], narrowedLocally: true });
  });

  it("is never narrower than meant", () => {
    expectNeverNarrower({ translate: queriesFor, finds, stated });
  });

  it("fits into a URL, whatever its characters", () => {
    fc.assert(
      fc.property(wideKeywords, (keywords) => {
        for (const q of asked(keywords))
          expect(new URLSearchParams({ q }).toString().length).toBeLessThanOrEqual(ENCODED_MAX);
      }),
    );
  });
});
