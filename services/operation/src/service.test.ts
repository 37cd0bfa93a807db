import { AnalysisType, Dimension, OperationStatus, Source } from "@hourglass/proto/operation/v1/operation";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { lengthScore } from "./testing/fakes.js";
import { ended, OperationHarness, texts } from "./testing/operation-harness.js";

let harness: OperationHarness;
beforeEach(async () => {
  harness = await OperationHarness.open();
});
afterEach(() => harness.close());

describe("an operation from acceptance to result", () => {
  it("goes from ready over pending and running to done, with data only then", async () => {
    const { id } = await harness.client.createOperation(texts(["one"]));
    const before = await harness.client.getOperation({ id });
    expect(before.operation).toMatchObject({ id, status: OperationStatus.READY, progress: { done: 0, total: 1 } });
    expect(before.operation?.data).toBeUndefined();
    harness.process.start();
    const operation = await ended(harness.client, id);
    expect(operation).toMatchObject({ status: OperationStatus.DONE, progress: { done: 1, total: 1 }, error: "" });
    expect(operation.finishedAt).toBeDefined();
    expect(operation.data?.contents).toHaveLength(1);
  });

  it("answers each content with the analyses that apply, in the order of the request", async () => {
    harness.process.start();
    const asked = [AnalysisType.TOPIC, AnalysisType.CAPTION, AnalysisType.SENTIMENT_SIMPLE];
    const { id } = await harness.client.createOperation(texts(["a good day", "UNREADABLE"], asked));
    const operation = await ended(harness.client, id);
    expect(operation.query?.analyses).toEqual(asked);
    expect(operation.data?.contents[0]).toMatchObject({
      content: { value: { case: "text", value: "a good day" } },
      dimensions: [Dimension.TEXTUAL],
      analysisTypes: [AnalysisType.TOPIC, AnalysisType.SENTIMENT_SIMPLE],
      analyses: [
        { type: AnalysisType.TOPIC, source: Source.CONTENT, data: { case: "topics" } },
        { type: AnalysisType.SENTIMENT_SIMPLE, data: { case: "classification", value: { value: "about a good day" } } },
      ],
      error: "",
    });
    expect(operation.data?.contents[1]).toMatchObject({
      analyses: [],
      error: "topic, sentiment-simple: nothing to read",
    });
  });

  it("keeps contents and results in order when they stand in many parts", async () => {
    harness.process.start();
    const contents = Array.from({ length: 730 }, (_, index) => `${index} ${"x".repeat(index * 3)}`);
    const { id } = await harness.client.createOperation(texts(contents, [AnalysisType.SENTIMENT_SIMPLE]));
    const operation = await ended(harness.client, id);
    const got = operation.data?.contents.map((result) => [result.content?.value.value, result.analyses[0]?.data.value]);
    expect(got).toEqual(
      contents.map((text): unknown[] => [
        text,
        expect.objectContaining({ value: `about ${text.slice(0, 20)}`, prob: lengthScore(text) }),
      ]),
    );
    expect(operation.query?.contents.map(({ value }) => value.value)).toEqual(contents);
  });

  it("begins by its acceptance alone, again and again, without anybody who sweeps", async () => {
    harness.process.start("relay", "worker");
    for (let round = 0; round < 5; round++) {
      const begun = new Promise<void>((resolve) => (harness.process.pool.before = () => resolve()));
      const { id } = await harness.client.createOperation(texts(["quick"]));
      await begun;
      await ended(harness.client, id);
    }
  });
});
