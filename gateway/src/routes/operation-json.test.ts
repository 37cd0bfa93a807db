import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  AnalysisType,
  Dimension,
  OffsetUnit,
  OperationSchema,
  OperationStatus,
  OperationType,
  Source,
  UnsupportedReason,
  type AnalysisSchema,
} from "@hourglass/proto/operation/v1/operation";
import { CreateOperationRequestSchema } from "@hourglass/proto/operation/v1/operation_service";
import type { Violations } from "@hourglass/runtime/json";
import { describe, expect, it } from "vitest";
import { writerOf } from "./conversion.js";
import { readObject } from "./input.js";
import { approximateSize, ListedOperation, newOperationOf, operationBody } from "./operation-json.js";

const fromListedOperation = writerOf(ListedOperation);

function toCreateOperationRequest(body: Record<string, unknown>, violations: Violations = []) {
  return create(CreateOperationRequestSchema, readObject(newOperationOf(body), body, violations));
}

type AnalysisInit = MessageInitShape<typeof AnalysisSchema>;

function toJson(operation: MessageInitShape<typeof OperationSchema>): unknown {
  const body = operationBody(create(OperationSchema, operation));
  return JSON.parse(typeof body === "string" ? body : [...body].join(""));
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

  it("has null data until it is done", () => {
    expect(
      toJson({ id: 2n ** 53n - 1n, status: OperationStatus.READY, query, progress: { done: 0, total: 2 } }),
    ).toEqual({
      id: 9_007_199_254_740_991,
      status: "ready",
      query: { type: "file", analyses: ["face-id"], contents: [], contents_groups: null },
      data: null,
      failed_contents: null,
      progress: { done: 0, total: 2 },
      created_at: null,
      finished_at: null,
      created_by: null,
    });
  });

  it("has what its creator calls it only if they call it something", () => {
    const labels = { name: "Museum", metadata: { ticket: "4711" } };
    expect(toJson({ query, ...labels, createdBy: { userId: 3n, name: "Ann" } })).toMatchObject({
      ...labels,
      created_by: { user_id: 3, key_id: null, name: "Ann" },
    });
    expect(toJson({ query, createdBy: { keyId: 5n } })).toMatchObject({
      created_by: { user_id: null, key_id: 5, name: null },
    });
  });

  it("echoes texts, file ids and URLs as they were given, and names the analyses both ways", () => {
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

  it("says at the top level why an operation failed", () => {
    expect(toJson({ status: OperationStatus.FAILED, error: "It gave up." })).toMatchObject({
      status: "failed",
      data: null,
      error: "It gave up.",
    });
  });

  it("writes the result of each analysis in its own form", () => {
    const classified = { value: "joy", prob: 0.5 };
    expect(resultOf({ case: "classification", value: classified })).toEqual(classified);
    const personality = { value: "ESTJ", prob1: 0.1, prob2: 0.2, prob3: 0.3, prob4: 0.4, group: true };
    expect(resultOf({ case: "personality", value: personality })).toEqual(personality);
    expect(resultOf({ case: "topics", value: { topics: [{ value: "x", topicType: "entity" }] } })).toEqual([
      { value: "x", topic_type: "entity", sub_type: null },
    ]);
    expect(resultOf({ case: "detections", value: { detections: [classified] } })).toEqual([classified]);
    const at = { start: 0, end: 1.5 };
    const seen = { value: "cat", prob: 0.5, moments: [at] };
    expect(resultOf({ case: "detections", value: { detections: [seen] } })).toEqual([seen]);
    const moment = { timestamp: "00:00:01", description: "A cat." };
    expect(
      resultOf({ case: "captions", value: { captions: [{ duration: "00:00:09", descriptions: [moment] }] } }),
    ).toEqual([{ description: null, duration: "00:00:09", descriptions: [moment] }]);
    expect(resultOf(undefined)).toBeNull();
  });
});

it("writes the rating of a picture beside its result, or why there is none", () => {
  const nsfwOf = (nsfw: AnalysisInit["nsfw"]): unknown => {
    const written = toJson({
      data: { contents: [{ analyses: [{ type: AnalysisType.OBJECT_ID, ...(nsfw && { nsfw }) }] }] },
    });
    const { data } = JSON.parse(JSON.stringify(written)) as {
      data: { contents: { analyses: { nsfw?: unknown }[] }[] };
    };
    return data.contents[0]?.analyses[0]?.nsfw;
  };
  const model = { id: "open-nsfw", version: "1" };
  expect(nsfwOf({ score: 0, at: 1.5, model })).toEqual({ score: 0, at: 1.5, model });
  expect(nsfwOf({ error: "Its model is missing." })).toEqual({ error: "Its model is missing." });
  expect(nsfwOf(undefined)).toBeUndefined();
});

describe("the places of a detection", () => {
  const box = { x: 0, y: 0.25, width: 0.5, height: 0.75, prob: 0.9 };
  const written = { count: 1, boxes: [[0, 0.25, 0.5, 0.75, 0.9]] };

  it("are lists of five numbers, in pictures and in moments", () => {
    const [cat, dog] = [
      { value: "cat", prob: 0.9 },
      { value: "dog", prob: 0.8 },
    ];
    const span = { start: 0, end: 2, at: 0 };
    const placed = { count: 1, boxes: [box] };
    const detections = [
      { ...cat, ...placed },
      { ...dog, moments: [{ ...span, ...placed }] },
    ];
    expect(resultOf({ case: "detections", value: { detections } })).toEqual([
      { ...cat, ...written },
      { ...dog, moments: [{ ...span, ...written }] },
    ]);
  });

  it("count for their size in memory", () => {
    const sizeOf = (data: AnalysisInit["data"]) =>
      approximateSize(create(OperationSchema, { data: { contents: [{ analyses: [{ ...(data && { data }) }] }] } }));
    const boxes = Array.from({ length: 100 }, () => box);
    const [stills, films] = [{ boxes }, { moments: [{ boxes }] }].map((places) =>
      sizeOf({ case: "detections", value: { detections: [places] } }),
    );
    expect(stills).toBeGreaterThan(3000);
    expect(films).toBeGreaterThan(3000);
  });
});

describe("a result that says why", () => {
  const explanation = {
    probabilities: { joy: 0.5, melancholy: 0.25 },
    spans: [{ start: 0, end: 3, text: "yes", weight: -0.25 }],
  };
  const topics = [{ value: "x", topicType: "entity", offsets: [{ start: 0, end: 1 }] }];

  it("gives probabilities, spans and places as they are", () => {
    const explained = { value: "joy", prob: 0.5, explanation };
    expect(resultOf({ case: "classification", value: explained })).toEqual(explained);
    expect(resultOf({ case: "topics", value: { topics } })).toEqual([
      { value: "x", topic_type: "entity", sub_type: null, offsets: [{ start: 0, end: 1 }] },
    ]);
  });

  it("is of an operation whose query says that it was asked for", () => {
    const asked = create(OperationSchema, { query: { type: OperationType.TEXT, explain: true } });
    expect(toJson(asked)).toMatchObject({ query: { explain: true } });
    expect(fromListedOperation(asked)).toMatchObject({ query: { explain: true } });
    const unasked = create(OperationSchema, { query: { type: OperationType.TEXT } });
    expect(toJson(unasked)).not.toHaveProperty("query.explain");
    expect(fromListedOperation(unasked)).not.toHaveProperty("query.explain");
  });

  it("is of an operation whose query names the unit of its offsets if that is not the default", () => {
    const queried = (offsets: OffsetUnit) => create(OperationSchema, { query: { explain: true, offsets } });
    for (const toAnswer of [toJson, fromListedOperation]) {
      expect(toAnswer(queried(OffsetUnit.UTF16))).toMatchObject({ query: { explain: true, offsets: "utf16" } });
      for (const plain of [OffsetUnit.CODE_POINTS, OffsetUnit.UNSPECIFIED]) {
        expect(toAnswer(queried(plain))).not.toHaveProperty("query.offsets");
      }
    }
  });

  it("counts for its size in memory", () => {
    const sizeOf = (data: AnalysisInit["data"]) =>
      approximateSize(create(OperationSchema, { data: { contents: [{ analyses: [{ ...(data && { data }) }] }] } }));
    const spans = Array.from({ length: 10 }, () => ({ start: 0, end: 64, text: "x".repeat(64), weight: 1 }));
    const offsets = Array.from({ length: 500 }, () => ({ start: 0, end: 1 }));
    const plain = sizeOf({ case: "classification", value: { value: "joy", prob: 0.5 } });
    expect(sizeOf({ case: "classification", value: { explanation: { spans } } })).toBeGreaterThan(plain + 640);
    expect(sizeOf({ case: "topics", value: { topics: [{ value: "x", offsets }] } })).toBeGreaterThan(plain + 10_000);
  });
});

describe("what a result says of its model", () => {
  const resultWith = (analysis: AnalysisInit) => {
    const { data } = toJson({ data: { contents: [{ analyses: [analysis] }] } }) as {
      data: { contents: { analyses: object[] }[] };
    };
    return data.contents[0]?.analyses[0];
  };

  it("is there also when the model is not made for the language", () => {
    const model = { id: "topic-encoder", version: "1" };
    expect(resultWith({ model, language: "de", supported: false })).toMatchObject({
      model,
      language: "de",
      supported: false,
    });
  });

  it("says why little is to be expected", () => {
    const unsupportedReason = UnsupportedReason.NO_SPACES;
    expect(resultWith({ language: "en", supported: false, unsupportedReason })).toMatchObject({
      supported: false,
      unsupported_reason: "no_spaces",
    });
  });

  it("is left out where nothing is known of model and language", () => {
    expect(Object.keys(resultWith({}) ?? {})).toEqual(["source", "type", "dimension", "group_index", "data"]);
  });
});

describe("a new operation", () => {
  const valid = { type: "text", analyses: ["topic"], contents: ["a"] };

  function violationsOf(body: Record<string, unknown>): Violations {
    const violations: Violations = [];
    toCreateOperationRequest(body, violations);
    return violations;
  }

  it("takes numbers as file ids and strings as URLs", () => {
    const { contents } = toCreateOperationRequest({ ...valid, type: "file", contents: [7, "https://a.example/b"] });
    expect(contents.map(({ value }) => value)).toEqual([
      { case: "fileId", value: 7n },
      { case: "url", value: "https://a.example/b" },
    ]);
  });

  it("takes a null or absent option as absent, and ignores what it does not know", () => {
    const body = { ...valid, contents_groups: null, extra: { deep: 1 }, ["__proto__"]: { type: "file" } };
    expect(toCreateOperationRequest(body)).toMatchObject({ type: OperationType.TEXT, contentsGroups: [] });
  });

  it("asks for explanations only with true", () => {
    const explainOf = (body: object) => toCreateOperationRequest({ ...valid, ...body }).explain;
    expect([{ explain: true }, { explain: false }, { explain: null }, {}].map(explainOf)).toEqual([
      true,
      false,
      false,
      false,
    ]);
    for (const explain of ["true", 1, 0, "", [], {}, [true]]) {
      expect(violationsOf({ ...valid, explain })).toEqual([{ field: "explain", message: "Give true or false." }]);
    }
  });

  it("takes the unit of offsets by its exact name", () => {
    const { CODE_POINTS, UTF16, UNSPECIFIED } = OffsetUnit;
    const unitOf = (body: object) => toCreateOperationRequest({ ...valid, ...body }).offsets;
    expect([{ offsets: "utf16" }, { offsets: "code_points" }, { offsets: null }, {}].map(unitOf)).toEqual([
      UTF16,
      CODE_POINTS,
      UNSPECIFIED,
      UNSPECIFIED,
    ]);
    for (const offsets of ["UTF16", "utf-16", "code-points", "", 2, true, [], {}]) {
      const [violation] = violationsOf({ ...valid, offsets });
      expect(violation?.field).toBe("offsets");
      expect(violation?.message).toContain("code_points, utf16.");
    }
  });

  it("takes nothing from a prototype", () => {
    const inherited = Object.create(valid) as Record<string, unknown>;
    expect(violationsOf(inherited)).toContainEqual({ field: "type", message: "Give this field: it is required." });
  });

  it("does not look into lists that are too long", () => {
    const body = { ...valid, contents: Array.from({ length: 1001 }, () => 5), contents_groups: Array(1001).fill(5) };
    expect(violationsOf(body)).toEqual([
      { field: "contents", message: "Give at most 1,000 items." },
      { field: "contents_groups", message: "Give at most 1,000 items." },
    ]);
  });
});
