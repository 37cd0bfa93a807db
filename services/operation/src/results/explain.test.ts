import { AnalysisType, type Operation, Source } from "@hourglass/proto/operation/v1/operation";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { TextOutcome } from "../records/text-outcome.js";
import { OperationHarness, ended, failureOf, type OperationClient, texts } from "../testing/operation-harness.js";
import { lengthScore } from "../testing/stub-pool.js";

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
      error: "sentiment-simple: nothing to read; topic: nothing to read",
    });
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

  it("of an older release does not say", async () => {
    const { id } = await done(texts(["fine"], [SENTIMENT_SIMPLE, TOPIC]));
    const outcome: TextOutcome = {
      results: {
        "sentiment-simple": { value: "positive", prob: 0.75 },
        topic: [{ value: "fine", topic_type: "noun-chunk", sub_type: "NOUN" }],
      },
      errors: {},
    };
    await harness.operations.update({ id: Number(id) }, { set: { results: { contents: [outcome], groups: [] } } });
    const [sentiment, topic] = analysesOf(await ended(harness.client, id));
    expect(sentiment).toMatchObject({ data: { value: { value: "positive", prob: 0.75 } }, language: "" });
    expect(sentiment).not.toHaveProperty("model");
    expect(sentiment).not.toHaveProperty("supported");
    expect(topic?.data.value).toMatchObject({ topics: [{ value: "fine", offsets: [] }] });
  });
});
