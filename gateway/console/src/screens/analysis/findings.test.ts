import { describe, expect, it } from "vitest";
import type { ContentResult, Found } from "../../data/analyses.js";
import { csvOf } from "../../data/csv.js";
import { classified, detections, glance, marksOf, nsfwSentence, numberedBoxes, tracksOf } from "./findings.js";
import { resultsTable } from "./results-table.js";

const BASE = { source: "content", dimension: "textual", group_index: null } as const;
const SENTIMENT: Found = {
  ...BASE,
  type: "sentiment-simple",
  data: {
    value: "negative",
    prob: 0.8,
    explanation: {
      probabilities: { negative: 0.8, neutral: 0.15, positive: 0.05 },
      spans: [
        { start: 2, end: 5, text: "bad", weight: 0.6 },
        { start: 6, end: 8, text: "ok", weight: -0.2 },
      ],
    },
  },
  model: { id: "m", version: "1" },
  language: "en",
  supported: true,
};
const TOPIC: Found = {
  ...BASE,
  type: "topic",
  data: [{ value: "Lisbon", topic_type: "entity", sub_type: "GPE", offsets: [{ start: 0, end: 6 }] }],
};
const OBJECTS = {
  ...BASE,
  dimension: "visual-image",
  type: "object-id",
  data: [
    {
      value: "car",
      prob: 0.9,
      count: 2,
      boxes: [
        [0, 0, 0.5, 0.5, 0.9],
        [0.5, 0, 0.5, 0.5, 0.7],
      ],
    },
    { value: "dog", prob: 0.8, moments: [{ start: 1, end: 2 }] },
  ],
} as unknown as Found;
const NEWER = { ...BASE, type: "smell", data: { strength: 3 } } as unknown as Found;

const content = (more: Partial<ContentResult>): ContentResult => ({
  index: 0,
  type: "text",
  content: "😀 bad ok",
  dimensions: ["textual"],
  analysis_type: [],
  analysis_types: [],
  analyses: [],
  ...more,
});

describe("marksOf", () => {
  it("marks what spoke for a label and against it", () => {
    const marks = marksOf(SENTIMENT, "a bad ok", true);
    expect(marks.map(({ tone, strength, title }) => [tone, strength, title])).toEqual([
      ["for", 0.6, "for negative, .60"],
      ["against", 0.2, "against negative, .20"],
    ]);
  });

  it("counts code points where the analysis did", () => {
    const [mark] = marksOf(SENTIMENT, "😀 bad ok", false);
    expect("😀 bad ok".slice(mark?.start, mark?.end)).toBe("bad");
  });

  it("marks topics", () => {
    expect(marksOf(TOPIC, "Lisbon", true)).toMatchObject([{ start: 0, end: 6, tone: "topic" }]);
  });
});

it("numbers boxes through all labels, and finds moments", () => {
  expect(numberedBoxes([SENTIMENT, OBJECTS]).map(({ number, label }) => `${number} ${label}`)).toEqual([
    "1 car",
    "2 car",
  ]);
  expect(tracksOf([OBJECTS]).map(({ label }) => label)).toEqual(["dog"]);
});

describe("an NSFW score", () => {
  const rated = (nsfw: object): Found => ({ ...OBJECTS, nsfw }) as Found;

  it("is a sentence, with its moment in a film", () => {
    expect(nsfwSentence(rated({ score: 0.934 }))).toBe("NSFW score .93. Look at it yourself before you decide.");
    expect(nsfwSentence(rated({ score: 0.5, at: 75 }))).toContain("NSFW score .50, highest at 1:15.");
  });

  it("says why it is missing, and nothing where nobody asked for it", () => {
    expect(nsfwSentence(rated({ error: "there is no model." }))).toBe("No NSFW score: there is no model.");
    expect([OBJECTS, SENTIMENT, NEWER].map(nsfwSentence)).toEqual([undefined, undefined, undefined]);
  });

  it("is among the details of the table", () => {
    const { columns, rows } = resultsTable([content({ analyses: [rated({ score: 0.934 })] })]);
    expect(rows[0]?.[columns.indexOf("details")]).toBe("car 0.9 2 times; dog 0.8 1-2 s; nsfw 0.934");
  });
});

it("takes no unknown result for a known one", () => {
  expect(classified(NEWER)).toBeUndefined();
  expect(detections(NEWER)).toBeUndefined();
  expect(glance({ analyses: [NEWER, SENTIMENT, OBJECTS] })).toEqual(["▼ negative", "car", "dog"]);
});

describe("resultsTable", () => {
  it("has a row for each content and analysis", () => {
    const { columns, rows } = resultsTable([content({ analyses: [SENTIMENT, TOPIC, OBJECTS, NEWER] })]);
    const value = (row: number, column: string): unknown => rows[row]?.[columns.indexOf(column)];
    expect(rows.every((row) => row.length === columns.length)).toBe(true);
    expect([value(0, "value"), value(0, "prob"), value(0, "details")]).toEqual([
      "negative",
      0.8,
      "negative 0.8; neutral 0.15; positive 0.05",
    ]);
    expect(value(1, "details")).toBe("Lisbon: entity GPE");
    expect(value(2, "details")).toBe("car 0.9 2 times; dog 0.8 1-2 s");
    expect(value(3, "details")).toBe('{"strength":3}');
  });

  it("has a row for a content without any, and no formula", () => {
    const table = resultsTable([content({ content: "=1+1", error: "it is damaged", error_code: "unreadable" })]);
    expect(csvOf(table).split("\r\n")[1]).toBe("1,'=1+1,,,,,,,,,,unreadable,it is damaged");
  });
});
