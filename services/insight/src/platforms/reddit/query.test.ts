import { readRedditQuery } from "@hourglass/demo";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseQuery } from "../../query/parser.js";
import type { SearchedTexts } from "../../query/matcher.js";
import { findsNested } from "../../query/testing/dialects.js";
import { expectNeverNarrower } from "../../query/testing/never-narrower.js";
import { wideKeywords } from "../../query/testing/queries.js";
import { listingUrl } from "./api.js";
import { queriesFor } from "./query.js";

const URL_MAX = 2048;

const asked = (keywords: string): readonly string[] => queriesFor(parseQuery(keywords)).requests;

/** This language writes exclusions with a hyphen, and reads all else alike. */
const finds = (request: string, posting: SearchedTexts): boolean =>
  findsNested(request.replaceAll(/(?<=^|[ (])NOT (?=\S)/g, "-"), posting);

/** Reddit states tags and names in the text only. */
const written = ({ tags = [], mentions = [], ...posting }: SearchedTexts): SearchedTexts => {
  const names = [...tags.map((tag) => `#${tag}`), ...mentions.map((name) => `u/${name}`)];
  return { ...posting, text: [posting.text, ...names].join(" "), tags, mentions };
};

describe("a query for Reddit", () => {
  it.each([
    ["kestrel", "kestrel"],
    ["kestrel phone", "kestrel phone"],
    ['"kestrel phone"', '"kestrel phone"'],
    ["kestrel, peregrine", "(kestrel OR peregrine)"],
    ["kestrel (phone OR tablet) -case", "kestrel (phone OR tablet) NOT case"],
    ['kestrel -"smart phone"', 'kestrel NOT "smart phone"'],
    ['"a, b", c', '("a, b" OR c)'],
    ["#kestrel, @kestrel_eg", "(kestrel OR kestrel_eg)"],
    ["@kestrel-eg", '"kestrel-eg"'],
    ["a -(b OR c)", "a NOT b NOT c"],
    ["phone -#kestrel", "phone"],
    ["title:kestrel subreddit:phones", '"title:kestrel" "subreddit:phones"'],
    ["OR", '"OR"'],
    ["#NOT", '"NOT"'],
    ["東京 地震", "東京 地震"],
  ])("%s is sent as %s", (keywords, query) => {
    expect(asked(keywords)).toEqual([query]);
  });

  it("is divided over several requests if it is too long, and none is cut", () => {
    const words = Array.from({ length: 10 }, (_, i) => `${"東京地震速報".repeat(6)}${i}`);
    const requests = asked(words.join(", "));
    expect(requests.length).toBeGreaterThan(1);
    for (const word of words) expect(requests.some((request) => request.includes(word))).toBe(true);
  });

  it("that Reddit cannot be asked, such as kes*, is not sent", () => {
    expect(queriesFor(parseQuery("kes*"))).toMatchObject({ requests: [], unsent: ["kes*"] });
  });

  it("is never narrower than meant, and always one that Reddit accepts", () => {
    expectNeverNarrower({
      translate: queriesFor,
      finds,
      stated: written,
      check: (request) => readRedditQuery(request, 512),
    });
  });

  it("fits into a URL, whatever its characters", () => {
    fc.assert(
      fc.property(wideKeywords, (keywords) => {
        for (const of of asked(keywords)) {
          const url = listingUrl("https://oauth.reddit.com", { kind: "search", of }, `t3_${"z".repeat(16)}`);
          expect(url.length).toBeLessThanOrEqual(URL_MAX);
        }
      }),
    );
  });
});
