import { readTiktokQuery } from "@hourglass/demo";
import { describe, expect, it } from "vitest";
import { parseQuery } from "../../query/parser.js";
import type { SearchedTexts } from "../../query/matcher.js";
import { findsNested } from "../../query/testing/dialects.js";
import { expectNeverNarrower } from "../../query/testing/never-narrower.js";
import { queriesFor, type TiktokCondition, type TiktokQuery } from "./query.js";

const asked = (keywords: string): readonly TiktokQuery[] => queriesFor(parseQuery(keywords)).requests;
const words = (...values: string[]): TiktokCondition => ({
  operation: "IN",
  field_name: "keyword",
  field_values: values,
});
const tags = (...values: string[]): TiktokCondition => ({ ...words(...values), field_name: "hashtag_name" });

/** What a request finds in this language, in which TikTok's conditions are words, phrases and tags. */
function finds({ and, or, not }: TiktokQuery, posting: SearchedTexts): boolean {
  const holds = ({ field_name: field, field_values: values }: TiktokCondition): boolean =>
    values.some((value) => findsNested(field === "keyword" ? `"${value}"` : `#${value}`, posting));
  return and.every(holds) && (or.length === 0 || or.some(holds)) && !not.some(holds);
}

describe("a query for TikTok", () => {
  it.each<[string, Partial<TiktokQuery>]>([
    ["kestrel", { and: [words("kestrel")] }],
    ["kestrel phone", { and: [words("kestrel"), words("phone")] }],
    ['"kestrel  phone"', { and: [words("kestrel phone")] }],
    ["kestrel, peregrine", { and: [words("kestrel", "peregrine")] }],
    ["kestrel (phone OR tablet) -case", { and: [words("kestrel"), words("phone", "tablet")], not: [words("case")] }],
    ["#kestrel -#ad", { and: [tags("kestrel")], not: [tags("ad")] }],
    ["#kestrel, peregrine", { or: [words("peregrine"), tags("kestrel")] }],
    ["a -(b OR #c)", { and: [words("a")], not: [words("b"), tags("c")] }],
    ["username:somebody", { and: [words("username:somebody")] }],
  ])("%s is sent as its conditions", (keywords, query) => {
    expect(asked(keywords)).toEqual([{ and: [], or: [], not: [], ...query }]);
  });

  it("asks for terms of several words one by one", () => {
    expect(asked("a b, c")).toHaveLength(2);
  });

  it("leaves out a second group of words and tags, and says that the results are narrowed here", () => {
    expect(queriesFor(parseQuery("(a OR #b) (c OR #d)"))).toMatchObject({
      requests: [{ and: [], or: [words("a"), tags("b")] }],
      narrowedLocally: true,
    });
  });

  it.each(["@kestrel_eg", "kes*"])("that TikTok cannot be asked, such as %s, is not sent", (keywords) => {
    expect(queriesFor(parseQuery(keywords))).toMatchObject({ requests: [], unsent: [keywords] });
  });

  it("is never narrower than meant, and always one that TikTok accepts", () => {
    expectNeverNarrower({ translate: queriesFor, finds, check: readTiktokQuery });
  });
});
