import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { analyzeInline } from "../pool/analyze-texts.js";
import { TEXTUAL_ANALYSES } from "../registry/analyses.js";
import { detectLanguage } from "../text/language/detector.js";
import { MODEL_CARDS } from "./index.js";

const readPage = (name: string) => readFileSync(new URL(`../../../../docs/${name}.md`, import.meta.url), "utf8");

const NOTES = ["../../../../docs/models-notes.md", "../text/NOTES.md", "../vision/NOTES.md", "../media/NOTES.md"]
  .map((name) => readFileSync(new URL(name, import.meta.url), "utf8"))
  .join("\n");
const ANALYSES = MODEL_CARDS.map(({ analysis }) => analysis);
/** Probabilities differ in the last digits between machines; pages have two. */
const TOLERANCE = 0.03;

/** An example of a page: a row whose first cell is a text. */
interface Example {
  readonly text: string;
  readonly values: readonly string[];
  readonly prob: number | undefined;
}

function examplesOf(page: string): Example[] {
  return [...page.matchAll(/^\| `([^`]+)` \| ([^|]+)\|/gm)].map(([, text = "", answer = ""]) => {
    const [, prob] = / (\d?\.\d\d) $/.exec(answer) ?? [];
    return {
      text,
      values: [...answer.matchAll(/`([^`]+)`/g)].map(([, value = ""]) => value),
      prob: prob === undefined ? undefined : Number(prob),
    };
  });
}

async function answerTo(analysis: string, text: string): Promise<Omit<Example, "text">> {
  if (analysis === "language") {
    const { code, prob } = detectLanguage(text);
    return { values: [code], prob };
  }
  const type = TEXTUAL_ANALYSES.find((each) => each === analysis);
  if (type === undefined) throw new Error(`${analysis} does not analyze texts`);
  const [entry] = await analyzeInline([text], [type], { explain: false, engines: {} });
  const result = entry?.results[type];
  if (result === undefined) throw new Error(`no result for ${text}`);
  if (Array.isArray(result)) return { values: result.map(({ value }) => value), prob: undefined };
  return { values: [result.value], prob: "prob" in result ? result.prob : undefined };
}

describe.each(ANALYSES)("the page of %s", (analysis) => {
  const page = readPage(`models/${analysis}`);

  it("has no figure with an interval that the notes do not have", () => {
    const figures = [...page.matchAll(/\d?\.\d+ \[\d?\.\d+–\d?\.\d+\]/g)].map(([figure]) => figure);
    expect(figures.filter((figure) => !NOTES.includes(figure))).toEqual([]);
  });

  it("is in the index", () => {
    expect(readPage("models")).toContain(`](models/${analysis}.md)`);
  });
});

describe.each(["sentiment-simple", "sentiment-real", "intention", "spam-detection", "topic", "language"])(
  "the examples of %s",
  (analysis) => {
    const examples = examplesOf(readPage(`models/${analysis}`));

    it("are at least ten", () => {
      expect(examples.length).toBeGreaterThanOrEqual(10);
    });

    it.each(examples)("$text", async ({ text, values, prob }) => {
      const answer = await answerTo(analysis, text);
      expect(answer.values).toEqual(values);
      if (prob !== undefined) expect(Math.abs((answer.prob ?? 0) - prob)).toBeLessThan(TOLERANCE);
    });
  },
);
