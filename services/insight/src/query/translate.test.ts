import { describe, expect, it } from "vitest";
import { parseQuery } from "./parser.js";
import { findsListed, findsNested, flatDialect, listDialect, nestedDialect } from "./testing/dialects.js";
import { expectNeverNarrower, type Searching } from "./testing/never-narrower.js";
import { type QueryDialect, translate } from "./translate.js";

const nested = (keywords: string, maxLength = 512) => translate(parseQuery(keywords), nestedDialect(maxLength));

const flat = (keywords: string, maxLength = 250) => {
  const translation = translate(parseQuery(keywords), flatDialect(maxLength));
  return { ...translation, requests: translation.requests.map(({ text }) => text) };
};

/** Checks requests as `expectNeverNarrower` does, and that none is longer than the dialect allows. */
function neverNarrower<Said>(dialect: QueryDialect<Said>, finds: Searching<Said>["finds"]): void {
  expectNeverNarrower({
    translate: (query) => translate(query, dialect),
    finds,
    check: (request) => expect(dialect.lengthOf(request)).toBeLessThanOrEqual(dialect.maxLength),
  });
}

describe("a translation", () => {
  it.each([20, 40, 400])("into nested requests of %i characters is never narrower than the query", (maxLength) => {
    neverNarrower(nestedDialect(maxLength), findsNested);
  });

  it.each([20, 40, 400])("into flat requests of %i characters is never narrower than the query", (maxLength) => {
    neverNarrower(flatDialect(maxLength), (request, posting) => request.finds(posting));
  });

  it("into lists is never narrower than the query", () => {
    neverNarrower(listDialect, findsListed);
  });

  it("says everything in one request where the platform can", () => {
    expect(nested('kestrel (phone OR "smart phone") -case #tag, @name')).toEqual({
      requests: ['((kestrel (phone OR "smart phone") -case #tag) OR @name)'],
      narrowedLocally: false,
      dropped: [],
      unsent: [],
    });
  });

  it("pushes exclusions of a group down to its words", () => {
    expect(nested("a -(b OR (c OR d))").requests).toEqual(["a -b -c -d"]);
  });

  it("leaves out exclusions that would have to be alternatives", () => {
    expect(nested("a -(b c)")).toMatchObject({ requests: ["a"], narrowedLocally: true, dropped: ["-(b c)"] });
    expect(nested("a -(b -c)").dropped).toEqual(["-(b -c)"]);
  });

  it("quotes words that the platform could take for operators, and words of several parts", () => {
    expect(nested("lang:en e-mail OR AND c++ kestrel's").requests).toEqual(['"lang:en" ("e-mail" OR "AND") c kestrel']);
    expect(nested("東京地震 🔥").requests).toEqual(['"東京地震" 🔥']);
  });

  it("leaves out prefixes that the platform does not know, with the alternatives beside them", () => {
    expect(nested("kestrel phon*")).toMatchObject({ requests: ["kestrel"], narrowedLocally: true, dropped: ["phon*"] });
    expect(nested("kestrel (tablet OR phon*)")).toMatchObject({ requests: ["kestrel"], dropped: ["tablet OR phon*"] });
  });

  it("names terms that cannot be sent at all", () => {
    expect(nested("kes*, phone")).toMatchObject({ requests: ["phone"], unsent: ["kes*"], narrowedLocally: false });
    expect(nested("kes* -phone")).toMatchObject({ requests: [], unsent: ["kes* -phone"] });
  });

  it("sends wider atoms, but does not exclude them", () => {
    expect(flat("#kestrel")).toMatchObject({ requests: ["kestrel"], narrowedLocally: true });
    expect(flat("phone -#kestrel")).toMatchObject({ requests: ["phone"], dropped: ["-#kestrel"] });
  });

  it("replaces an alternative of several words by its rarest where alternatives must be single words", () => {
    expect(flat("x (a kestrel) OR b")).toMatchObject({ requests: ["x (kestrel OR b)"], dropped: ["a kestrel"] });
  });

  it("joins terms only where the platform can say it", () => {
    expect(flat('a, "b c", d OR e').requests).toEqual(['(a OR "b c" OR d OR e)']);
    expect(flat("a b, c").requests).toEqual(["a b", "c"]);
    expect(translate(parseQuery("a, b OR c"), listDialect).requests).toEqual([
      { and: [["a"]], not: [] },
      { and: [["b", "c"]], not: [] },
    ]);
  });
});

describe("a translation that is too long", () => {
  it("is divided by terms", () => {
    expect(nested("kestrel phone, kestrel tablet, merlin", 40).requests).toEqual([
      "((kestrel phone) OR (kestrel tablet))",
      "merlin",
    ]);
  });

  it("is divided between alternatives", () => {
    expect(nested("kestrel OR merlin OR peregrine OR hobby", 22)).toMatchObject({
      requests: ["(kestrel OR merlin)", "(peregrine OR hobby)"],
      narrowedLocally: false,
    });
  });

  it("loses exclusions first, then the requirement that finds the most", () => {
    expect(nested("kestrel it (case OR box) -old -used", 30)).toMatchObject({
      requests: ["kestrel it (case OR box) -old"],
      dropped: ["-used"],
    });
    expect(nested("kestrel it (case OR box) -old", 9)).toMatchObject({
      requests: ["kestrel"],
      narrowedLocally: true,
      dropped: ["it", "case OR box", "-old"],
    });
  });

  it("keeps the beginning of a phrase", () => {
    expect(nested('"the kestrel flies at dawn"', 20)).toMatchObject({ requests: ['"the kestrel flies"'] });
  });

  it("keeps a word that fits when the rarest is too long itself", () => {
    expect(nested(`kestrel ${"x".repeat(50)}`, 20)).toMatchObject({ requests: ["kestrel"], unsent: [] });
    expect(nested("x".repeat(50), 20)).toMatchObject({ requests: [], unsent: ["x".repeat(50)] });
  });
});
