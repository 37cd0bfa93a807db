import { describe, expect, it } from "vitest";
import { draftOf, EMPTY_DRAFT, groupsOf, requestOf, textsOf } from "./draft.js";

const CSV = "author,text\nann,Hello\nbob,\nann,Bye";

describe("textsOf", () => {
  it("takes a column without its header, and the authors of its texts", () => {
    const found = textsOf({ ...EMPTY_DRAFT, text: CSV, split: "column", column: 1, groupColumn: 0 }, 100);
    expect(found).toMatchObject({ texts: ["Hello", "Bye"], emptyCount: 1, groupValues: ["ann", "ann"] });
  });

  it("has no texts of what is no table", () => {
    expect(textsOf({ ...EMPTY_DRAFT, text: "Hello", split: "column" }, 100)).toMatchObject({
      texts: [],
      table: undefined,
    });
  });

  it("tells the longest, the repeated and the too long ones", () => {
    expect(textsOf({ ...EMPTY_DRAFT, text: "a\nabcd\na" }, 3)).toMatchObject({
      longest: 4,
      repeatedCount: 1,
      tooLong: [{ index: 1, characters: 4 }],
    });
  });
});

describe("groupsOf", () => {
  it("makes groups as they were chosen", () => {
    expect(groupsOf({ grouping: "together", ownGroups: "" }, 2, []).groups).toBeUndefined();
    expect(groupsOf({ grouping: "each", ownGroups: "" }, 2, []).groups).toEqual(["0", "1"]);
    expect(groupsOf({ grouping: "column", ownGroups: "" }, 2, ["a", "a", "a"]).groups).toEqual(["0,1"]);
    expect(groupsOf({ grouping: "own", ownGroups: "2" }, 2, []).groups).toEqual(["1"]);
  });
});

describe("requestOf", () => {
  const draft = { ...EMPTY_DRAFT, name: " Mine ", analyses: ["sentiment-simple", "caption"] as const };

  it("asks for what applies to texts, with places of JavaScript's strings", () => {
    expect(requestOf(draft, "text", ["a"], ["0"])).toEqual({
      type: "text",
      contents: ["a"],
      analyses: ["sentiment-simple"],
      explain: true,
      offsets: "utf16",
      name: "Mine",
    });
  });

  it("asks for groups only of personalities", () => {
    const wanted = requestOf({ ...draft, analyses: ["personality-mb"] }, "file", [7], ["0"]);
    expect(wanted).toMatchObject({ type: "file", contents: [7], contents_groups: ["0"] });
  });
});

describe("draftOf", () => {
  it.each([[["a"]], [["a\n\nb"]], [["a", "b c"]], [['a "x",\n\nb', "c;d", " e"]]])(
    "holds the texts %j of an analysis",
    (contents) => {
      const { draft } = draftOf({ type: "text", analyses: ["topic"], contents });
      expect(textsOf(draft, 100).texts).toEqual(contents.map((text) => text.trim()));
    },
  );

  it("takes addresses, and no files that another analysis has", () => {
    expect(draftOf({ type: "file", analyses: [], contents: ["https://a.example/b.png"] })).toMatchObject({
      kind: "url",
      draft: { urls: "https://a.example/b.png" },
    });
    expect(draftOf({ type: "file", analyses: [], contents: [3] })).toMatchObject({ kind: "file", draft: { urls: "" } });
  });
});
