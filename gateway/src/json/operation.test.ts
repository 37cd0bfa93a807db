import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  AnalysisType,
  Dimension,
  OperationSchema,
  OperationStatus,
  OperationType,
  Source,
  type AnalysisSchema,
} from "@hourglass/proto/operation/v1/operation";
import { describe, expect, it } from "vitest";
import { operationPieces, toCreateOperationRequest } from "./operation.js";
import type { Violations } from "./reader.js";

type AnalysisInit = MessageInitShape<typeof AnalysisSchema>;

function toJson(operation: MessageInitShape<typeof OperationSchema>): unknown {
  return JSON.parse([...operationPieces(create(OperationSchema, operation))].join(""));
}

function resultOf(data: AnalysisInit["data"]): unknown {
  const analysis = {
    source: Source.CONTENT,
    type: AnalysisType.TOPIC,
    dimension: Dimension.TEXTUAL,
    ...(data && { data }),
  };
  const operation = toJson({ data: { contents: [{ analyses: [analysis] }] } }) as {
    data: { contents: { analyses: { data: unknown }[] }[] };
  };
  return operation.data.contents[0]?.analyses[0]?.data;
}

describe("the operation object", () => {
  const query = { type: OperationType.FILE, analyses: [AnalysisType.FACE_ID] };

  it("§2.3 has null data until it is done", () => {
    expect(
      toJson({ id: 2n ** 53n - 1n, status: OperationStatus.READY, query, progress: { done: 0, total: 2 } }),
    ).toEqual({
      id: 9_007_199_254_740_991,
      status: "ready",
      query: { type: "file", analyses: ["face-id"], contents: [], contents_groups: null },
      data: null,
      progress: { done: 0, total: 2 },
      created_at: null,
      finished_at: null,
    });
  });

  it("§2.5 echoes texts, file ids and URLs as they were given, and names the analyses both ways", () => {
    const contents = [
      { value: { case: "text" as const, value: "a\u0000\u202e\u200d\u{1f600}" } },
      { value: { case: "fileId" as const, value: 12n } },
      { value: { case: "url" as const, value: "https://example.com/a.png" } },
    ];
    const results = contents.map((content) => ({
      type: OperationType.FILE,
      content,
      dimensions: [Dimension.VISUAL_IMAGE],
      analysisTypes: [AnalysisType.FACE_ID, AnalysisType.CAPTION],
      error: "No faces.",
    }));
    const operation = toJson({
      status: OperationStatus.DONE,
      query: { ...query, contents },
      data: { contents: results },
    });
    const echoed = ["a\u0000\u202e\u200d\u{1f600}", 12, "https://example.com/a.png"];
    expect(operation).toMatchObject({
      query: { contents: echoed },
      data: {
        contents_count: 3,
        contents: echoed.map((content) => ({
          type: "file",
          content,
          dimensions: ["visual-image"],
          analysis_type: ["face-id", "caption"],
          analysis_types: ["face-id", "caption"],
          analyses: [],
          error: "No faces.",
        })),
      },
    });
  });

  it("reads the same in one piece and in many", () => {
    const text = (length: number) => ({ value: { case: "text" as const, value: '"contents":[]'.padEnd(length, "x") } });
    for (const length of [20, 70_000]) {
      const results = [{ content: text(length) }, { content: text(length) }];
      const contents = [text(length), text(length)];
      const groups = ['"contents":[]'];
      const operation = toJson({
        query: { contents, contentsGroups: groups },
        data: { contents: results },
        error: "a",
      });
      const echoed = contents.map(({ value }) => value.value);
      expect(operation).toMatchObject({ query: { contents: echoed, contents_groups: groups }, error: "a" });
      expect(operation).toMatchObject({ data: { contents: echoed.map((content) => ({ content })) } });
      expect(toJson({ query: { contents } })).toMatchObject({
        query: { contents: echoed },
        data: null,
        created_at: null,
      });
    }
  });

  it("decisions §4 names why it failed, at the top", () => {
    expect(toJson({ status: OperationStatus.FAILED, error: "It gave up." })).toMatchObject({
      status: "failed",
      data: null,
      error: "It gave up.",
    });
  });

  it("§2.6 gives each analysis its form", () => {
    const classified = { value: "joy", prob: 0.5 };
    expect(resultOf({ case: "classification", value: classified })).toEqual(classified);
    const personality = { value: "ESTJ", prob1: 0.1, prob2: 0.2, prob3: 0.3, prob4: 0.4, group: true };
    expect(resultOf({ case: "personality", value: personality })).toEqual(personality);
    expect(resultOf({ case: "topics", value: { topics: [{ value: "x", topicType: "entity" }] } })).toEqual([
      { value: "x", topic_type: "entity", sub_type: null },
    ]);
    expect(resultOf({ case: "detections", value: { detections: [classified] } })).toEqual([classified]);
    const moment = { timestamp: "00:00:01", description: "A cat." };
    expect(
      resultOf({ case: "captions", value: { captions: [{ duration: "00:00:09", descriptions: [moment] }] } }),
    ).toEqual([{ description: null, duration: "00:00:09", descriptions: [moment] }]);
    expect(resultOf(undefined)).toBeNull();
  });
});

describe("a new operation", () => {
  const valid = { type: "text", analyses: ["topic"], contents: ["a"] };

  function violationsOf(body: Record<string, unknown>): Violations {
    const violations: Violations = [];
    toCreateOperationRequest(body, "", violations);
    return violations;
  }

  it("§2.4.2 takes numbers as file ids and strings as URLs", () => {
    const { contents } = toCreateOperationRequest(
      { ...valid, type: "file", contents: [7, "https://a.example/b"] },
      "k",
      [],
    );
    expect(contents?.map(({ value }) => value)).toEqual([
      { case: "fileId", value: 7n },
      { case: "url", value: "https://a.example/b" },
    ]);
  });

  it("takes a null or absent option as absent, and ignores what it does not know", () => {
    const body = { ...valid, contents_groups: null, extra: { deep: 1 }, ["__proto__"]: { type: "file" } };
    expect(toCreateOperationRequest(body, "", [])).toMatchObject({ type: OperationType.TEXT, contentsGroups: [] });
  });

  it("takes nothing from a prototype", () => {
    const inherited = Object.create(valid) as Record<string, unknown>;
    expect(violationsOf(inherited)).toContainEqual({ field: "type", message: "is required" });
  });

  it("does not look into lists that are too long", () => {
    const body = { ...valid, contents: Array.from({ length: 1001 }, () => 5), contents_groups: Array(1001).fill(5) };
    expect(violationsOf(body)).toEqual([
      { field: "contents", message: "must hold at most 1000 items" },
      { field: "contents_groups", message: "must hold at most 1000 items" },
    ]);
  });
});
