import { repeats } from "@hourglass/runtime/testing";
import { fold } from "@hourglass/runtime/text";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseQuery } from "../query/parser.js";
import { compileQuery } from "../query/matcher.js";
import { queries } from "../query/testing/queries.js";
import { hashtagsFor } from "./hashtags.js";

const asked = (keywords: string): string[] => hashtagsFor(parseQuery(keywords)).hashtags.map(({ name }) => name);

describe("the hashtags for a query", () => {
  it.each([
    ["kestrel", ["kestrel"]],
    ["Kestrel phone", ["kestrelphone", "kestrel"]],
    ['"kestrel phone"', ["kestrelphone", "kestrel"]],
    ["kestrel, peregrine", ["kestrel", "peregrine"]],
    ["kestrel (phone OR tablet) -case", ["kestrelphone", "kestreltablet", "kestrel"]],
    ["#kestrel, @kestrel_eg", ["kestrel"]],
    ["#kestrel phone", ["kestrel"]],
    ["café", ["café"]],
    ["кестрел", ["кестрел"]],
    ["東京 地震", ["東京地震", "東京"]],
    ["2026 kestrel", ["kestrel"]],
    ["e-mail", ["email", "mail"]],
  ])("%s are %j", (keywords, names) => {
    expect(asked(keywords)).toEqual(names);
  });

  it.each(["2026", "kes*", "@somebody", "🔥", "kestrel OR 🔥"])("%s are none", (keywords) => {
    expect(hashtagsFor(parseQuery(keywords))).toEqual({ hashtags: [], left: [], unsent: [keywords] });
  });

  it("are at most ten, and the others are named", () => {
    const keywords = Array.from({ length: 6 }, (_, number) => `kestrel${number} phone`).join(", ");
    const { hashtags, left } = hashtagsFor(parseQuery(keywords));
    expect([hashtags.length, left]).toEqual([10, ["kestrel4", "kestrel5"]]);
  });

  it("find everything that matches by its hashtags alone", () => {
    const names = fc.constantFrom(
      "kestrel",
      "phone",
      "café",
      "東京",
      "kestrel_eg",
      "mail",
      "heure",
      "b",
      "lang",
      "kestrels",
    );
    fc.assert(
      fc.property(queries, fc.uniqueArray(names, { maxLength: 6 }), (query, tags) => {
        const { hashtags, unsent, left } = hashtagsFor(query);
        if (left.length > 0) return;
        const { matchedTerms } = compileQuery(query).match({ text: tags.map((tag) => `#${tag}`).join(" "), tags });
        const isMatched = matchedTerms.some((term) => !unsent.includes(term));
        const carried = new Set(tags.map(fold));
        if (isMatched) expect(hashtags.some(({ name }) => carried.has(fold(name)))).toBe(true);
      }),
      { numRuns: repeats(500) },
    );
  });
});
