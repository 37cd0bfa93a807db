import { create, toBinary } from "@bufbuild/protobuf";
import type { Classification, Topic } from "@hourglass/analysis";
import { ContentResultSchema, ContentSchema } from "@hourglass/proto/operation/v1/operation";
import { describe, expect, it } from "vitest";
import { withinBounds } from "./analyze.js";
import { toContentResults } from "./results.js";
import type { OperationRecord, TextOutcome } from "./store.js";

/** Number of labels of each classifier. */
const LABELS = { "sentiment-simple": 3, "sentiment-real": 20, "spam-detection": 2, intention: 9 };
const CLASSIFICATIONS = ["sentiment-simple", "sentiment-real", "spam-detection", "intention"] as const;

function explained(spans: readonly string[], labels = 2): Classification {
  return {
    value: "joy",
    prob: 0.5,
    explanation: {
      probabilities: Object.fromEntries(Array.from({ length: labels }, (_, at) => [`pleasantness_self${at}`, 0.05])),
      spans: spans.map((text) => ({ start: 19_000, end: 20_000, text, weight: 0.1234 })),
    },
  };
}

function topic(value: string, places: number): Topic {
  const offsets = Array.from({ length: places }, (_, at) => ({ start: 19_000 + at, end: 19_001 + at }));
  return { value, topic_type: "noun-chunk", sub_type: "PROPN", offsets };
}

const boundedTopics = (topics: Topic[]) => withinBounds({ results: { topic: topics }, errors: {} }).results.topic ?? [];

describe("the bounds of explanations", () => {
  it("leave alone what is within them", () => {
    const outcome: TextOutcome = {
      results: {
        intention: explained(["x".repeat(64), "\u{1f600}".repeat(64)]),
        topic: [topic("a", 499), topic("b", 1), { value: "c", topic_type: "entity", sub_type: null }],
        "spam-detection": { value: "ham", prob: 0.9 },
        "personality-mb": { value: "ENTP", prob1: 0.5, prob2: 0.5, prob3: 0.5, prob4: 0.5 },
      },
      errors: { "sentiment-real": "nothing to read" },
      language: "en",
    };
    expect(withinBounds(outcome)).toEqual(outcome);
  });

  it("cut the text of a span at whole characters, and keep where it stands", () => {
    const { intention } = withinBounds({
      results: { intention: explained(["\u{1f600}".repeat(65), `${"x".repeat(63)}\u{1f600}y`]) },
      errors: {},
    }).results;
    expect(intention?.explanation?.spans).toEqual([
      { start: 19_000, end: 20_000, text: "\u{1f600}".repeat(64), weight: 0.1234 },
      { start: 19_000, end: 20_000, text: `${"x".repeat(63)}\u{1f600}`, weight: 0.1234 },
    ]);
  });

  it("keep the first ten spans", () => {
    const words = Array.from({ length: 12 }, (_, at) => `word ${at}`);
    const { intention } = withinBounds({ results: { intention: explained(words) }, errors: {} }).results;
    expect(intention?.explanation?.spans.map(({ text }) => text)).toEqual(words.slice(0, 10));
  });

  it("share the places of topics, so that a frequent one leaves the others theirs", () => {
    const counts = (...places: number[]) =>
      boundedTopics(places.map((count) => topic("a", count))).map(({ offsets }) => offsets?.length);
    expect(counts(10_000, 3, 1)).toEqual([496, 3, 1]);
    expect(counts(400, 400, 50)).toEqual([225, 225, 50]);
    expect(counts(...Array.from({ length: 50 }, () => 10_000))).toEqual(Array.from({ length: 50 }, () => 10));
    expect(boundedTopics([topic("a", 600)])[0]?.offsets?.at(-1)).toEqual({ start: 19_499, end: 19_500 });
  });

  it("add at most 18 KiB to the answer for one text", () => {
    const spans = Array.from({ length: 40 }, () => "\u{1f600}".repeat(1000));
    const topics = Array.from({ length: 50 }, () => topic("a", 1000));
    const results: TextOutcome["results"] = { topic: topics };
    for (const type of CLASSIFICATIONS) results[type] = explained(spans, LABELS[type]);
    const plain: TextOutcome["results"] = { topic: topics.map((one) => ({ ...one, offsets: [] })) };
    for (const type of CLASSIFICATIONS) plain[type] = { value: "joy", prob: 0.5 };
    const added = bytesOf(withinBounds({ results, errors: {} })) - bytesOf({ results: plain, errors: {} });
    expect(added).toBeGreaterThan(10 * 1024);
    expect(added).toBeLessThan(18 * 1024);
  });
});

function bytesOf(outcome: TextOutcome): number {
  const record = { kind: "text", analyses: [...CLASSIFICATIONS, "topic"], groups: null, contentsCount: 1 };
  const found = { first: 0, contents: [create(ContentSchema)], outcomes: [outcome], groups: [] };
  return toContentResults(record as OperationRecord, found).reduce(
    (sum, result) => sum + toBinary(ContentResultSchema, result).length,
    0,
  );
}
