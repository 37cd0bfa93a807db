import { readNewsapiQuery } from "@hourglass/demo";
import { repeats } from "@hourglass/runtime/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseQuery } from "../../../query/parser.js";
import { compileQuery, type SearchedTexts } from "../../../query/matcher.js";
import { findsNested } from "../../../query/testing/dialects.js";
import { postings, queries } from "../../../query/testing/queries.js";
import { everythingUrl } from "./api.js";
import { queriesFor } from "./query.js";

const URL_MAX = 2048;

const asked = (keywords: string): readonly string[] => queriesFor(parseQuery(keywords)).requests;

/** The reference writes what is required side by side, and exclusions with a hyphen. */
const finds = (request: string, posting: SearchedTexts): boolean =>
  findsNested(request.replaceAll(/ AND (?=\S)/g, " ").replaceAll(/(?<=^|[ (])NOT (?=\S)/g, "-"), posting);

/** Articles have neither tags nor mentions: those of the text are words. */
const written = ({ tags = [], mentions = [], ...posting }: SearchedTexts): SearchedTexts => {
  const names = [...tags.map((tag) => `#${tag}`), ...mentions.map((name) => `u/${name}`)];
  return { ...posting, text: [posting.text, ...names].join(" "), tags, mentions };
};

describe("a query for NewsAPI", () => {
  it.each([
    ["kestrel", "kestrel"],
    ["kestrel phone", "kestrel AND phone"],
    ['"kestrel phone"', '"kestrel phone"'],
    ["kestrel, peregrine", "(kestrel OR peregrine)"],
    ["kestrel phone, peregrine", "((kestrel AND phone) OR peregrine)"],
    ["kestrel (phone OR tablet) -case", "kestrel AND (phone OR tablet) AND NOT case"],
    ['kestrel -"smart phone"', 'kestrel AND NOT "smart phone"'],
    ['"a, b", c', '("a, b" OR c)'],
    ["#kestrel, @kestrel_eg", "(kestrel OR kestrel_eg)"],
    ["phone -#kestrel", "phone"],
    ["title:kestrel", '"title:kestrel"'],
    ["OR", '"OR"'],
    ["東京 地震", "東京 AND 地震"],
  ])("%s is sent as %s", (keywords, query) => {
    expect(asked(keywords)).toEqual([query]);
  });

  it("is divided over several requests if it is too long, and none is cut", () => {
    const words = Array.from({ length: 10 }, (_, i) => `${"東京地震速報".repeat(6)}${i}`);
    const requests = asked(words.join(", "));
    expect(requests.length).toBeGreaterThan(1);
    for (const word of words) expect(requests.some((request) => request.includes(word))).toBe(true);
  });

  it("that NewsAPI cannot be asked, such as kes*, is not sent", () => {
    expect(queriesFor(parseQuery("kes*"))).toMatchObject({ requests: [], unsent: ["kes*"] });
  });

  it("is never narrower than meant, and always one that NewsAPI accepts", () => {
    fc.assert(
      fc.property(queries, postings, (query, drawn) => {
        const posting = written(drawn);
        const { requests, unsent, narrowedLocally } = queriesFor(query);
        const isMatched = compileQuery(query)
          .match(posting)
          .matchedTerms.some((term) => !unsent.includes(term));
        const isFound = requests.some((request) => finds(request, posting));
        if (isMatched) expect(isFound).toBe(true);
        if (!narrowedLocally) expect(isFound).toBe(isMatched);
        for (const request of requests) readNewsapiQuery(request);
      }),
      { numRuns: repeats(300) },
    );
  });

  it("fits into a URL, whatever its characters", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "é", "東", "🔥", "'", "-"), minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 10 }), (words) => {
        const text = words.map((each) => `"${each}x"`).join(", ");
        if ([...text].length > 500) return;
        for (const query of asked(text)) {
          const question = { query, from: 0, to: Date.UTC(2026, 10, 22), page: 1000, pageSize: 100 };
          expect(everythingUrl("https://newsapi.org", question).length).toBeLessThanOrEqual(URL_MAX);
        }
      }),
    );
  });
});
