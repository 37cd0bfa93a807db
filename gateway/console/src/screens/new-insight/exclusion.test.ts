import { describe, expect, it } from "vitest";
import { type Mark, type Marked, proposeExclusions, withExclusion } from "./exclusion.js";

const posting = (text: string, mark?: Mark, tags: readonly string[] = []): Marked => ({ text, tags, mark });

describe("the exclusion that marks propose", () => {
  it("is the phrase that the misses share", () => {
    const postings = [
      posting("New toy cars for the nursery", "miss"),
      posting("Toy cars, only 3 €, electric!", "miss"),
      posting("The electric cars of this year", "hit"),
    ];
    expect(proposeExclusions(postings, '"electric cars" OR cars')).toEqual([
      { written: '-"toy cars"', misses: 2, others: 0 },
    ]);
  });

  it("is never something that a hit has", () => {
    const postings = [
      posting("kestrel nest box", "miss"),
      posting("a kestrel nest", "miss"),
      posting("kestrel nest app", "hit"),
    ];
    expect(proposeExclusions(postings, "kestrel")).toEqual([]);
  });

  it("is no word of the query, in upper case or with accents either", () => {
    const postings = [posting("Café!", "miss"), posting("CAFE", "miss")];
    expect(proposeExclusions(postings, "café")).toEqual([]);
  });

  it("needs two misses", () => {
    expect(proposeExclusions([posting("toy cars", "miss"), posting("cars", "hit")], "cars")).toEqual([]);
  });

  it("is nothing that is as frequent in postings that are not judged", () => {
    const postings = [
      posting("with falcon eggs", "miss"),
      posting("with falcon wings", "miss"),
      posting("phone with case"),
      posting("phone with charger"),
      posting("phone alone"),
    ];
    expect(proposeExclusions(postings, "phone").map(({ written }) => written)).toEqual(["-falcon"]);
  });

  it("counts what it would leave out besides the misses", () => {
    const postings = [
      posting("falcon", "miss"),
      posting("falcon", "miss"),
      posting("falcon"),
      ...Array.from({ length: 9 }, () => posting("phone")),
    ];
    expect(proposeExclusions(postings, "phone")).toEqual([{ written: "-falcon", misses: 2, others: 1 }]);
  });

  it("is one for each group of misses", () => {
    const postings = [
      ...["falcon chick", "falcon chick", "eagle egg", "eagle egg"].map((text) => posting(text, "miss")),
      posting("phone", "hit"),
    ];
    const written = proposeExclusions(postings, "phone").map((exclusion) => exclusion.written);
    expect(written).toEqual(['-"falcon chick"', '-"eagle egg"']);
  });

  it("is a tag where the misses share one, and no address", () => {
    const postings = [
      posting("one https://shop.example/offer", "miss", ["Toys"]),
      posting("two https://shop.example/offer #toys", "miss"),
    ];
    expect(proposeExclusions(postings, "cars")).toEqual([{ written: "-#toys", misses: 2, others: 0 }]);
  });

  it("finds words of scripts without spaces", () => {
    const postings = [posting("東京の天気", "miss"), posting("東京の電車", "miss"), posting("大阪の電車", "hit")];
    expect(proposeExclusions(postings, "電車").map(({ written }) => written)).toContain("-東京");
  });

  it("is no word of a megabyte", () => {
    const long = "a".repeat(1_000_000);
    expect(proposeExclusions([posting(long, "miss", [long]), posting(`#${long}`, "miss", [long])], "x")).toEqual([]);
  });
});

describe("keywords with an exclusion", () => {
  it("have it in each term", () => {
    expect(withExclusion("kestrel, merlin OR osprey", "-toy")).toBe("kestrel -toy, merlin OR osprey -toy");
  });

  it("keep commas in quotes", () => {
    expect(withExclusion('"phones, tablets"', "-toy")).toBe('"phones, tablets" -toy');
  });

  it("have it once", () => {
    expect(withExclusion("kestrel -toy, merlin", "-toy")).toBe("kestrel -toy, merlin -toy");
  });
});
