import { AnalysisType, type ContentResult, OperationType } from "@hourglass/proto/operation/v1/operation";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ended, failureOf, OperationHarness, texts } from "./testing/operation-harness.js";

const { SENTIMENT_SIMPLE, PERSONALITY_MB } = AnalysisType;

let harness: OperationHarness;
beforeEach(async () => {
  harness = await OperationHarness.open();
});
afterEach(() => harness.close());

async function create(contents: string[], more: object = {}): Promise<bigint> {
  return (await harness.client.createOperation({ ...texts(contents), ...more })).id;
}

async function done(contents: string[], more: object = {}): Promise<bigint> {
  harness.process.start();
  const id = await create(contents, more);
  await ended(harness.client, id);
  return id;
}

async function pages(id: bigint, limit: number | undefined): Promise<ContentResult[][]> {
  const all: ContentResult[][] = [];
  let cursor = "";
  let index = 0;
  do {
    const page = await harness.client.listOperationContents({ id, cursor, ...(limit === undefined ? {} : { limit }) });
    expect(page.contents.map((content) => content.index)).toEqual(page.contents.map(() => index++));
    all.push(page.contents.flatMap(({ result }) => result ?? []));
    cursor = page.nextCursor;
  } while (cursor !== "");
  return all;
}

const numbered = (count: number, length = 1) =>
  Array.from({ length: count }, (_, index) => `${index} `.padEnd(length, "x"));

describe("pages of the contents of an operation", () => {
  it.each([
    ["a small one", numbered(5), 2],
    ["one in parts", numbered(250), 60],
    ["one in parts, by whole parts", numbered(200), 100],
    ["one whose parts are cut by length", numbered(40, 10_000), 7],
  ])("are together what the record of %s has", async (_, contents, limit) => {
    const analyses = [SENTIMENT_SIMPLE, PERSONALITY_MB];
    const id = await done(contents, { analyses, contentsGroups: ["0,3,4", "3"] });
    const { operation } = await harness.client.getOperation({ id });
    const found = await pages(id, limit);
    expect(found.flat()).toEqual(operation?.data?.contents);
    expect(
      found
        .map(({ length }) => length)
        .slice(0, -1)
        .every((length) => length === limit),
    ).toBe(true);
    expect(found).toHaveLength(Math.ceil(contents.length / limit));
  });

  it("have 50 contents unless asked otherwise", async () => {
    expect((await pages(await done(numbered(120)), undefined)).map(({ length }) => length)).toEqual([50, 50, 20]);
  });

  it("exist once it is done", async () => {
    const id = await create(["a"]);
    const failure = await failureOf(harness.client.listOperationContents({ id }));
    expect(failure).toMatchObject({ kind: "precondition", code: "operation_not_done", retryAfterMs: 1000 });
    for (const [status, code] of [
      ["invalid", "operation_invalid"],
      ["failed", "operation_failed"],
    ] as const) {
      const error = "Nothing could be read.";
      await harness.operations.update({ id: Number(id) }, { set: { status, error } });
      const ended = await failureOf(harness.client.listOperationContents({ id }));
      expect(ended).toMatchObject({ kind: "precondition", code, message: error });
    }
  });

  it("are of the caller's company only", async () => {
    const id = await done(["a"]);
    const other = harness.process.client(2).listOperationContents({ id });
    expect((await failureOf(other)).kind).toBe("not-found");
  });

  it("refuse a cursor that was not issued for the operation", async () => {
    const [one, other] = [await done(numbered(120)), await done(numbered(120))];
    const { nextCursor } = await harness.client.listOperationContents({ id: one });
    const forged = [
      "x",
      Buffer.from(`${one}.0.99999.0`).toString("base64url"),
      Buffer.from(`${one}.9.0.0`).toString("base64url"),
    ];
    for (const cursor of [...forged, Buffer.from(`${one}.0.5.4`).toString("base64url")]) {
      const failure = await failureOf(harness.client.listOperationContents({ id: one, cursor }));
      expect(failure.violations, cursor).toMatchObject([{ field: "cursor" }]);
    }
    const failure = await failureOf(harness.client.listOperationContents({ id: other, cursor: nextCursor }));
    expect(failure.violations).toMatchObject([{ field: "cursor" }]);
  });
});

describe("a read without data", () => {
  it("has everything but the results", async () => {
    const id = await done(numbered(3));
    const { operation } = await harness.client.getOperation({ id, data: false });
    expect(operation).toMatchObject({ query: { type: OperationType.TEXT }, progress: { done: 3, total: 3 } });
    expect(operation?.query?.contents).toHaveLength(3);
    expect(operation?.data).toBeUndefined();
    expect((await harness.client.getOperation({ id, data: true })).operation?.data?.contents).toHaveLength(3);
  });
});
