import type { TextualAnalysis } from "@hourglass/analysis";
import {
  AnalysisType,
  Dimension,
  OffsetUnit,
  type Operation,
  OperationType,
  Source,
  UnsupportedReason,
} from "@hourglass/proto/operation/v1/operation";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ResultList } from "./results.js";

import { FakeMedia, lengthScore } from "./testing/fakes.js";
import { ended, failureOf, type OperationClient, OperationHarness, texts } from "./testing/operation-harness.js";

const { SENTIMENT_SIMPLE, TOPIC, PERSONALITY_MB } = AnalysisType;

type NewOperation = Parameters<OperationClient["createOperation"]>[0];

let harness: OperationHarness;
beforeEach(async () => {
  harness = await OperationHarness.open();
});
afterEach(() => harness.close());

const explained = (contents: readonly string[], analyses: AnalysisType[] = [SENTIMENT_SIMPLE, TOPIC]) => ({
  ...texts(contents, analyses),
  explain: true,
});

async function done(request: NewOperation): Promise<Operation> {
  harness.process.start();
  return ended(harness.client, (await harness.client.createOperation(request)).id);
}

const analysesOf = (operation: Operation, index = 0) => operation.data?.contents[index]?.analyses ?? [];

describe("an operation that asks why", () => {
  it("says so, and gets the spans, probabilities and places it was given", async () => {
    const operation = await done(explained(["fine"]));
    expect(operation.query).toMatchObject({ explain: true, analyses: [SENTIMENT_SIMPLE, TOPIC] });
    const [sentiment, topic] = analysesOf(operation);
    expect(sentiment?.data.value).toMatchObject({
      value: "about fine",
      explanation: {
        probabilities: { "about fine": lengthScore("fine"), other: 0.25 },
        spans: [{ start: 0, end: 4, text: "fine", weight: -0.5 }],
      },
    });
    expect(topic?.data.value).toMatchObject({ topics: [{ value: "fine", offsets: [{ start: 0, end: 4 }] }] });
    expect(harness.process.pool.calls).toEqual([
      { texts: ["fine"], analyses: ["sentiment-simple", "topic"], explain: true },
    ]);
    const { operations } = await harness.client.listOperations({});
    expect(operations).toMatchObject([{ query: { explain: true, analyses: [SENTIMENT_SIMPLE, TOPIC], contents: [] } }]);
  });

  it("gets the same when its results stand in parts, with spans within their bounds", async () => {
    const contents = Array.from({ length: 250 }, (_, index) => `${index} ${"x".repeat(100)}`);
    const operation = await done(explained(contents));
    contents.forEach((text, index) => {
      const span = { start: 0, end: text.length, text: text.slice(0, 64) };
      expect(analysesOf(operation, index)[0]?.data.value).toMatchObject({ explanation: { spans: [span] } });
    });
  });

  it("keeps fewer results in its record than another, because they are larger", async () => {
    const contents = Array.from({ length: 6 }, () => "a");
    const inline = async (request: NewOperation) => {
      const { id } = await harness.client.createOperation(request);
      return (await harness.operations.get(Number(id)))?.contents !== null;
    };
    expect(await inline(texts(contents))).toBe(true);
    expect(await inline(explained(contents))).toBe(false);
    expect(await inline(explained(contents.slice(1)))).toBe(true);
  });

  it("is another request than one that does not, under an idempotency key", async () => {
    const key = { idempotencyKey: "k" };
    const { id } = await harness.client.createOperation({ ...explained(["a"]), ...key });
    expect(await harness.client.createOperation({ ...explained(["a"]), ...key })).toMatchObject({ id });
    const without = harness.client.createOperation({ ...explained(["a"]), explain: false, ...key });
    expect(await failureOf(without)).toMatchObject({ kind: "invalid", code: "idempotency_key_reused" });
  });

  it("says of an analysis that could not be made what it says of any", async () => {
    const operation = await done(explained(["UNREADABLE"]));
    expect(operation.data?.contents[0]).toMatchObject({
      analysisTypes: [SENTIMENT_SIMPLE, TOPIC],
      analyses: [],
      error: "sentiment-simple, topic: nothing to read",
    });
  });
});

describe("the offsets of explanations", () => {
  /** Of one, two and two UTF-16 units in turn. */
  const astral = "a\u{1f600}\u{1d11e}";
  const inUtf16 = { offsets: OffsetUnit.UTF16 };

  const rangesOf = (operation: Operation) => {
    const [sentiment, topic] = analysesOf(operation);
    const { explanation } = sentiment?.data.value as { explanation: { spans: object[] } };
    const { topics } = topic?.data.value as { topics: { offsets: object[] }[] };
    return [...explanation.spans, ...(topics[0]?.offsets ?? [])];
  };

  it.each([
    ["code points unless asked otherwise", {}, OffsetUnit.CODE_POINTS, 3],
    ["code points", { offsets: OffsetUnit.CODE_POINTS }, OffsetUnit.CODE_POINTS, 3],
    ["UTF-16 units", inUtf16, OffsetUnit.UTF16, 5],
  ])("are %s, and the query says so", async (_what, more, offsets, end) => {
    const operation = await done({ ...explained([astral]), ...more });
    expect(operation.query).toMatchObject({ explain: true, offsets, analyses: [SENTIMENT_SIMPLE, TOPIC] });
    expect(rangesOf(operation)).toMatchObject([
      { start: 0, end, text: astral },
      { start: 0, end },
    ]);
  });

  it("are in UTF-16 in every part of a large operation, each by its own text", async () => {
    const contents = Array.from({ length: 250 }, (_, index) => "\u{1f600}".repeat(index + 1));
    const operation = await done({ ...explained(contents), ...inUtf16 });
    contents.forEach((text, index) => {
      const span = { start: 0, end: text.length, text: text.slice(0, 128) };
      expect(analysesOf(operation, index)[0]?.data.value).toMatchObject({ explanation: { spans: [span] } });
    });
  });

  it("are nowhere without explanations", async () => {
    const operation = await done({ ...explained([astral]), ...inUtf16, explain: false });
    expect(operation.query).toMatchObject({ explain: false, analyses: [SENTIMENT_SIMPLE, TOPIC] });
    expect(analysesOf(operation)[0]?.data.value).not.toHaveProperty("explanation");
    expect(analysesOf(operation)[1]?.data.value).toMatchObject({ topics: [{ offsets: [] }] });
  });

  it("make another request under an idempotency key, unless they are code points", async () => {
    const request = { ...explained([astral]), idempotencyKey: "k" };
    const { id } = await harness.client.createOperation(request);
    const same = { ...request, offsets: OffsetUnit.CODE_POINTS };
    expect(await harness.client.createOperation(same)).toMatchObject({ id });
    const other = harness.client.createOperation({ ...request, ...inUtf16 });
    expect(await failureOf(other)).toMatchObject({ kind: "invalid", code: "idempotency_key_reused" });
  });

  it("are refused in a unit that is none", async () => {
    const failure = await failureOf(harness.client.createOperation({ ...explained(["a"]), offsets: 99 as never }));
    expect(failure).toMatchObject({ kind: "invalid", violations: [{ field: "offsets" }] });
    expect(await harness.operations.count({})).toBe(0);
  });

  it("are those of the words of a file, where a file is analyzed", async () => {
    const files = await OperationHarness.open({ media: new FakeMedia().seen });
    files.process.start();
    const url = `https://example.com/${encodeURIComponent(astral)}.mp3`;
    const contents = [{ value: { case: "url" as const, value: url } }];
    const request = { ...explained([]), type: OperationType.FILE, contents, ...inUtf16 };
    const operation = await ended(files.client, (await files.client.createOperation(request)).id);
    expect(operation.data?.contents[0]?.transcript?.text).toBe(astral);
    expect(rangesOf(operation)).toMatchObject([
      { start: 0, end: 5, text: astral },
      { start: 0, end: 5 },
    ]);
    await files.close();
  });
});

it("explains nothing unasked", async () => {
  const operation = await done(texts(["fine"], [SENTIMENT_SIMPLE, TOPIC]));
  expect(operation.query?.explain).toBe(false);
  const [sentiment, topic] = analysesOf(operation);
  expect(sentiment?.data.value).not.toHaveProperty("explanation");
  expect(topic?.data.value).toMatchObject({ topics: [{ offsets: [] }] });
  expect(harness.process.pool.calls).toMatchObject([{ explain: false }]);
});

describe("a result", () => {
  const german = "Ich bin froh";

  it("says which model made it, in which language the text is, and whether the model is made for it", async () => {
    const operation = await done(texts(["fine", german]));
    const model = { id: "sentiment-simple-stub", version: "1" };
    expect(analysesOf(operation, 0)).toMatchObject([{ model, language: "en", supported: true }]);
    expect(analysesOf(operation, 1)).toMatchObject([{ model, language: "de", supported: false }]);
  });

  it("of a group says it of the texts of the group, one of no group of its own text", async () => {
    const request = texts([german, "fine", "and"], [SENTIMENT_SIMPLE, PERSONALITY_MB]);
    const operation = await done({ ...request, contentsGroups: ["0,1"] });
    const model = { id: "personality-mb-stub", version: "1" };
    expect(analysesOf(operation, 1)).toMatchObject([
      { language: "en", supported: true },
      { source: Source.GROUP, model, language: "de", supported: false },
    ]);
    expect(analysesOf(operation, 2)).toMatchObject([
      { model: { id: "sentiment-simple-stub" }, language: "en", supported: true },
      { source: Source.CONTENT, model, language: "en", supported: true },
    ]);
  });
});

/** Invented: nothing of this service names it. */
const LOUDNESS = "loudness" as TextualAnalysis;

it("the result of a new classifier is reported with its label, its model and its reason, without code of its own", () => {
  const list = new ResultList({
    type: OperationType.TEXT,
    unknown: [],
    analyses: [LOUDNESS],
    named: false,
    groups: [],
  });
  const origin = { source: Source.CONTENT, dimension: Dimension.TEXTUAL };
  const results = { [LOUDNESS]: { value: "loud", prob: 0.75 } };
  const models = { [LOUDNESS]: { id: "loudness-rules", version: "1" } };
  list.addText(LOUDNESS, {
    ...origin,
    outcome: {
      results,
      errors: {},
      models,
      language: "en",
      supported: { [LOUDNESS]: false },
      unsupportedReasons: { [LOUDNESS]: "no-spaces" },
    },
  });
  list.addText(LOUDNESS, { ...origin, outcome: { results: {}, errors: { [LOUDNESS]: "its model is absent" } } });
  expect(list.analyses).toMatchObject([
    {
      data: { case: "classification", value: { value: "loud", prob: 0.75 } },
      model: { id: "loudness-rules" },
      language: "en",
      supported: false,
      unsupportedReason: UnsupportedReason.NO_SPACES,
    },
  ]);
  expect(list.failure.error).toBe("loudness: its model is absent");
});
