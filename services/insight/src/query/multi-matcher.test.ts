import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileQuery } from "./matcher.js";
import { compileQueries } from "./multi-matcher.js";
import { parseQuery } from "./parser.js";
import { queries } from "./testing/queries.js";

const KEYWORDS = [
  "kestrel",
  "kestrel phone",
  '"kestrel phone" OR tablet',
  "kest*",
  "#kestrel",
  "@kestrel_eg",
  "merlin -kestrel",
  "e-mail, kestrel's",
  "東京",
  "🔥",
];
const many = compileQueries(KEYWORDS.map((keywords) => [keywords, parseQuery(keywords)] as const));

describe("many queries", () => {
  it.each([
    ["A Kestrel's phone", ["kestrel", "kestrel phone", "kest*", "e-mail, kestrel's"]],
    ["a kestrel phone", ["kestrel", "kestrel phone", '"kestrel phone" OR tablet', "kest*"]],
    ["#kestrel", ["kestrel", "kest*", "#kestrel"]],
    ["@kestrel_eg", ["kest*", "@kestrel_eg"]],
    ["merlin", ["merlin -kestrel"]],
    ["send an e-mail", ["e-mail, kestrel's"]],
    ["東京の地震", ["東京"]],
    ["🔥🔥", ["🔥"]],
    ["nothing of it", []],
  ])("of which %j matches some", (text, found) => {
    const alone = KEYWORDS.filter((keywords) => compileQuery(parseQuery(keywords)).match({ text }).matches);
    expect(many.match({ text })).toEqual(alone);
    expect(alone).toEqual(expect.arrayContaining(found));
  });

  it("match in titles and tags, too", () => {
    expect(many.match({ text: "", title: "merlin", tags: ["kestrel"] })).toContain("#kestrel");
    expect(many.match({ text: "", title: "merlin" })).toEqual(["merlin -kestrel"]);
  });

  it("match what each of them matches alone", () => {
    const words = fc.constantFrom(
      "kestrel",
      "Phone",
      "a",
      "b",
      "#kestrel",
      "@kestrel",
      "e-mail",
      "東京",
      "🔥",
      "-",
      "case",
    );
    const texts = fc.array(words, { maxLength: 12 }).map((list) => list.join(" "));
    fc.assert(
      fc.property(fc.array(queries, { maxLength: 6 }), texts, (all, text) => {
        const together = compileQueries(all.map((query, index) => [index, query] as const)).match({ text });
        const alone = all.flatMap((query, index) => (compileQuery(query).match({ text }).matches ? [index] : []));
        expect(together).toEqual(alone);
      }),
    );
  });
});
