import { ENCODER_TAG_NAMES, tagText } from "@hourglass/analysis/training";
import { describe, expect, it } from "vitest";
import { templateRows } from "./augmented-rows.js";
import { composeChunks, goldChunks, goldLabels, posName, silverLabels } from "./chunk-labels.js";
import { acceptedTags, allowedTags, ANY_TAG, goldEntities, listedSpans, silverEntities } from "./entity-labels.js";
import type { Silver } from "./silver.js";

const silverOf = (
  rows: readonly [tag: string, pos: string, dep: string, head: number][],
  ents: Silver["ents"] = [],
): Silver => ({
  tag: rows.map(([tag]) => tag),
  pos: rows.map(([, pos]) => pos),
  dep: rows.map(([, , dep]) => dep),
  head: rows.map(([, , , head]) => head),
  ents,
});
const without = (text: string): Silver => silverOf(tagText(text).map((_, at) => ["", "X", "", at]));
const named = (tags: readonly (readonly number[])[]): string[] =>
  tags.map((allowed) =>
    allowed.length === ANY_TAG.length ? "*" : allowed.map((tag) => ENCODER_TAG_NAMES[tag]).join("|"),
  );

describe("labels of noun chunks", () => {
  const sentence = {
    text: "the Washington area of President Bush",
    tokens: ["the", "Washington", "area", "of", "President", "Bush"],
    pos: ["DET", "PROPN", "NOUN", "ADP", "PROPN", "PROPN"],
    label: [
      { start: 0, end: 19 },
      { start: 23, end: 32 },
      { start: 23, end: 37 },
    ],
  };

  it("name the smallest chunk around every noun", () => {
    const { pos, left, right } = goldLabels(tagText(sentence.text), sentence);
    expect(pos.map(posName)).toEqual(sentence.pos);
    expect(left).toEqual([-1, 1, 2, -1, 0, 1]);
    expect(right).toEqual([-1, 1, 0, -1, 0, 0]);
  });

  it("give the chunks back, nested ones too", () => {
    const tokens = tagText(sentence.text);
    expect(composeChunks(goldLabels(tokens, sentence))).toEqual(goldChunks(tokens, sentence));
  });

  it("follow from a parse in the same way", () => {
    const tokens = tagText(sentence.text);
    const silver = silverOf([
      ["DT", "DET", "det", 2],
      ["NNP", "PROPN", "compound", 2],
      ["NN", "NOUN", "ROOT", 2],
      ["IN", "ADP", "prep", 2],
      ["NNP", "PROPN", "compound", 5],
      ["NNP", "PROPN", "pobj", 3],
    ]);
    expect(composeChunks(silverLabels(tokens, silver))).toEqual([
      { first: 0, last: 2 },
      { first: 4, last: 5 },
    ]);
  });
});

describe("tags that tokens may have", () => {
  const annotated = ["PERSON", "GPE", "LOC", "FAC", "ORG"];

  it("come from gold mentions, whose types word lists narrow", () => {
    const text = "Obama's trip to Scotland";
    const mentions = [
      { start: 0, end: 5, types: ["PERSON"] },
      { start: 16, end: 24, types: ["GPE", "LOC", "FAC"] },
    ];
    const tokens = tagText(text);
    const evidence = goldEntities({ tokens, silver: without(text) }, { mentions, annotated });
    expect(named(allowedTags(tokens.length, evidence))).toEqual(["B-PERSON", "O", "O", "O", "B-GPE"]);
  });

  it("hold types that the corpus does not mark where word lists are sure", () => {
    const text = "we met two Canadians";
    const tokens = tagText(text);
    const evidence = goldEntities({ tokens, silver: without(text) }, { mentions: [], annotated });
    expect(named(allowedTags(tokens.length, evidence))).toEqual(["O", "O", "O", "B-NORP"]);
  });

  it("are all that count as right in development data", () => {
    const mentions = [{ start: 0, end: 6, types: ["GPE", "LOC", "FAC"] }];
    const [first, second] = named(acceptedTags(tagText("Dublin rocks"), { mentions, annotated }));
    expect(first).toBe("B-GPE|B-LOC|B-FAC");
    expect(second).toContain("B-EVENT");
    expect(second).not.toContain("B-ORG");
  });

  it("come from a labeler where word lists agree, and leave other names open", () => {
    const text = "We watched Jurassic World with Zorblax there";
    const tokens = tagText(text);
    const evidence = silverEntities({ tokens, silver: { ...without(text), ents: [[2, 3, "WORK_OF_ART"]] } }, false);
    expect(evidence && named(allowedTags(tokens.length, evidence))).toEqual([
      "O",
      "O",
      "B-WORK_OF_ART",
      "I-WORK_OF_ART",
      "O",
      "*",
      "O",
    ]);
  });

  it("tell a language from a people by the words around it", () => {
    const typesIn = (text: string): string[] => listedSpans(tagText(text)).flatMap(({ types }) => types);
    expect(typesIn("do you speak Japanese ?")).toEqual(["LANGUAGE"]);
    expect(typesIn("a Japanese garden")).toEqual(["NORP"]);
  });
});

describe("sentences made of templates", () => {
  it("mark the whole name and nothing else", () => {
    for (const { text, tokens, evidence } of templateRows()) {
      const [span] = evidence.sure;
      const name = text.slice(tokens[span?.first ?? 0]?.start, tokens[span?.last ?? 0]?.end);
      expect(name.length, text).toBeGreaterThan(1);
      expect(text).not.toContain("{}");
    }
  });
});
