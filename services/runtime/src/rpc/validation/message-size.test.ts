import { create, fromBinary, toBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { ImportPostingsRequestSchema } from "@hourglass/proto/insight/v1/insight_service";
import { Platform } from "@hourglass/proto/insight/v1/platform";
import { AnalysisType, OperationType } from "@hourglass/proto/operation/v1/operation";
import { CreateOperationRequestSchema } from "@hourglass/proto/operation/v1/operation_service";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { repeats } from "../../testing/repeats.js";
import { AppError } from "../../errors/app-error.js";
import { decodeMessage, MESSAGE_VALUES_MAX, tallyBinary, tallyJson } from "./message-size.js";

const CONTENTS = 3;
const EMPTY = 0;
/** The head of a delimited field. */
const tag = (number: number) => number * 8 + 2;

function failureOf(work: () => unknown): Partial<AppError> {
  try {
    work();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  return {};
}

const decode = (bytes: Uint8Array) => decodeMessage(CreateOperationRequestSchema, bytes, () => undefined);

const operation: fc.Arbitrary<MessageInitShape<typeof CreateOperationRequestSchema>> = fc.record({
  type: fc.constantFrom(OperationType.TEXT, OperationType.FILE),
  analyses: fc.array(fc.constantFrom(AnalysisType.TOPIC, AnalysisType.CAPTION), { maxLength: 5 }),
  contents: fc.array(
    fc.oneof(
      fc.string({ unit: "binary" }).map((value) => ({ value: { case: "text" as const, value } })),
      fc.bigInt({ min: 1n, max: 2n ** 53n }).map((value) => ({ value: { case: "fileId" as const, value } })),
      fc.constant({}),
    ),
  ),
  contentsGroups: fc.array(fc.string({ unit: "binary" })),
  explain: fc.boolean(),
});

describe("a message that is counted before it is decoded", () => {
  it("is what the decoder makes of it", async () => {
    await fc.assert(
      fc.asyncProperty(operation, async (init) => {
        const bytes = toBinary(CreateOperationRequestSchema, create(CreateOperationRequestSchema, init));
        expect(await decode(bytes)).toEqual(fromBinary(CreateOperationRequestSchema, bytes));
      }),
    );
  });

  it("is decoded in pieces if it is large, with the same result", async () => {
    const contents = Array.from({ length: 900 }, (_, index) => ({
      value: { case: "text" as const, value: `${index} ${"я".repeat(2000)}` },
    }));
    const message = create(CreateOperationRequestSchema, { contents, contentsGroups: ["0"], explain: true });
    const bytes = toBinary(CreateOperationRequestSchema, message);
    expect(tallyBinary(CreateOperationRequestSchema, bytes, 500_000).cuts.length).toBeGreaterThan(5);
    expect(await decode(bytes)).toEqual(message);
  });

  it("never fails in any other way than as a request, whatever its bytes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 100 }), async (bytes) => {
        await decode(bytes).catch((error: unknown) => expect(error).toBeInstanceOf(AppError));
      }),
      { numRuns: repeats(2000) },
    );
  });

  it("has no more items in a list than its rules allow", () => {
    const bytes = Buffer.alloc(2 * 1001, Buffer.from([tag(CONTENTS), EMPTY]));
    expect(failureOf(() => tallyBinary(CreateOperationRequestSchema, bytes)).violations).toEqual([
      { field: "contents", message: "Give at most 1,000 items." },
    ]);
    expect(tallyBinary(CreateOperationRequestSchema, bytes.subarray(2)).values).toBe(1000);
  });

  it("has no more of them in one of its parts, or without tags, or without a rule", () => {
    const slice = { postings: [{}, { textPostTags: Array<string>(1001).fill("") }] };
    const posting = create(ImportPostingsRequestSchema, { part: { case: "slice", value: slice } });
    const bytes = toBinary(ImportPostingsRequestSchema, posting);
    expect(failureOf(() => tallyBinary(ImportPostingsRequestSchema, bytes)).violations).toEqual([
      { field: "slice.postings[1].text_post_tags", message: "Give at most 1,000 items." },
    ]);
    const analyses = Array<AnalysisType>(1001).fill(AnalysisType.TOPIC);
    const packed = toBinary(CreateOperationRequestSchema, create(CreateOperationRequestSchema, { analyses }));
    expect(failureOf(() => tallyBinary(CreateOperationRequestSchema, packed)).violations?.[0]?.field).toBe("analyses");
  });

  it("has no text that is longer in bytes than its rule allows in characters", () => {
    const contents = [{}, { value: { case: "text" as const, value: "x".repeat(80_001) } }];
    const bytes = toBinary(CreateOperationRequestSchema, create(CreateOperationRequestSchema, { contents }));
    expect(failureOf(() => tallyBinary(CreateOperationRequestSchema, bytes)).violations).toEqual([
      { field: "contents[1].text", message: "Give at most 20,000 characters." },
    ]);
  });

  it("has a maximum of values, fields that nobody knows included", () => {
    const unknown = Buffer.alloc(2 * (MESSAGE_VALUES_MAX + 1), Buffer.from([tag(14), EMPTY]));
    expect(failureOf(() => tallyBinary(CreateOperationRequestSchema, unknown))).toMatchObject({
      kind: "too-large",
      code: "too_many_values",
    });
    const repeated = Buffer.alloc(2 * (MESSAGE_VALUES_MAX + 1), Buffer.from([8, OperationType.TEXT]));
    expect(failureOf(() => tallyBinary(CreateOperationRequestSchema, repeated)).code).toBe("too_many_values");
  });

  it("is of its type: the decoder would read parts that reach beyond their message, and fields of another form", () => {
    // A content of one byte that claims to hold a text of a thousand.
    const beyond = Buffer.concat([Buffer.from([tag(CONTENTS), 3, tag(1), 0xe8, 0x07]), Buffer.alloc(1000, "x")]);
    const otherForm = Buffer.from([CONTENTS * 8, 1]);
    const group = Buffer.from([CONTENTS * 8 + 3, CONTENTS * 8 + 4]);
    for (const bytes of [beyond, otherForm, group]) {
      expect(failureOf(() => tallyBinary(CreateOperationRequestSchema, bytes)).code).toBe("malformed_message");
    }
  });
});

describe("a message in JSON", () => {
  const items = (count: number) => Array.from({ length: count }, () => ({}));
  const fieldIn = (json: unknown) =>
    failureOf(() => tallyJson(ImportPostingsRequestSchema, json)).violations?.[0]?.field;

  it("has no more items in a list than its rules allow, under both names of a field", () => {
    expect(fieldIn({ slice: { postings: items(501) } })).toBe("slice.postings");
    expect(fieldIn({ slice: { postings: [{}, { textPostTags: items(1001) }] } })).toBe(
      "slice.postings[1].text_post_tags",
    );
    expect(fieldIn({ slice: { postings: [{ text_post_tags: items(1001) }] } })).toBe(
      "slice.postings[0].text_post_tags",
    );
    expect(fieldIn({ slice: { postings: [{ platform: Platform.NEWS }] } })).toBeUndefined();
  });

  it("may have anything where its type has something else", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (json) => {
        expect(fieldIn(json)).toBeUndefined();
        expect(fieldIn({ slice: { postings: [json, null] } })).toBeUndefined();
      }),
    );
  });
});
