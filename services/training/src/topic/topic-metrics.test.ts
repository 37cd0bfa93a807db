import { type Annotation, tagText } from "@hourglass/analysis/training";
import { describe, expect, it } from "vitest";
import { judgeFound, type Match } from "./topic-metrics.js";

/** A text with chunks and entities, each given as its words. */
const annotated = (text: string, chunks: readonly string[], entities: readonly string[] = []): Annotation => {
  const tokens = tagText(text);
  const span = (words: string): { first: number; last: number } => {
    const start = text.indexOf(words);
    return {
      first: tokens.findIndex((token) => token.start === start),
      last: tokens.findIndex(({ end }) => end === start + words.length),
    };
  };
  return {
    text,
    tokens,
    chunks: chunks.map((words) => ({ ...span(words), head: "NOUN" as const })),
    entities: entities.map((words) => ({ ...span(words), type: "ORG" as const })),
  };
};

const judge = (annotation: Annotation, wanted: readonly string[], match: Match = "span") => {
  const { text } = annotation;
  const mentions = wanted.map((words) => ({
    start: text.indexOf(words),
    end: text.indexOf(words) + words.length,
    types: [],
  }));
  return judgeFound([{ text, mentions }], [annotation], match)[0];
};

describe("annotated chunks", () => {
  it("are found as chunks or entities, whatever their articles and possessors", () => {
    const annotation = annotated("😀 Qorvex sold my mother's old car", ["my mother's old car"], ["Qorvex"]);
    expect(judge(annotation, ["Qorvex", "my mother's old car"])).toEqual({ right: 2, found: 2, wanted: 2 });
  });

  it("are not found by parts of them", () => {
    const annotation = annotated("the Qorvex phone rang", [], ["Qorvex"]);
    expect(judge(annotation, ["the Qorvex phone"])).toEqual({ right: 0, found: 1, wanted: 1 });
  });

  it("are found by what ends them if only the end is compared", () => {
    const annotation = annotated("we met President Qorvex", [], ["Qorvex"]);
    expect(judge(annotation, ["President Qorvex"], "end")).toEqual({ right: 1, found: 1, wanted: 1 });
    expect(judge(annotation, ["President Qorvex"])).toEqual({ right: 0, found: 1, wanted: 1 });
  });

  it("are the same with or without the words that measure them", () => {
    const annotation = annotated("it sells more than 60 bikes", ["60 bikes"]);
    expect(judge(annotation, ["more than 60 bikes"])).toEqual({ right: 1, found: 1, wanted: 1 });
  });
});
