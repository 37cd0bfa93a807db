import { create } from "@bufbuild/protobuf";
import { CreateExportRequestSchema } from "@hourglass/proto/export/v1/export_service";
import {
  CreateOperationRequestSchema,
  GetOperationRequestSchema,
} from "@hourglass/proto/operation/v1/operation_service";
import { AnalysisType, OperationType } from "@hourglass/proto/operation/v1/operation";
import { describe, expect, it } from "vitest";
import { findViolations } from "./find-violations.js";

const text = (value: string) => ({ value: { case: "text" as const, value } });

describe("findViolations", () => {
  it("finds nothing wrong with a good request", () => {
    expect(findViolations(GetOperationRequestSchema, create(GetOperationRequestSchema, { id: 1n }))).toEqual([]);
  });

  it("names every wrong field by the path a caller would write", () => {
    const request = create(CreateOperationRequestSchema, {
      type: OperationType.TEXT,
      analyses: [AnalysisType.TOPIC, AnalysisType.UNSPECIFIED],
      contents: [text("good"), text(""), {}],
      contentsGroups: ["0,1", "one"],
    });
    const fields = findViolations(CreateOperationRequestSchema, request).map(({ field }) => field);
    expect(fields.sort()).toEqual(["analyses[1]", "contents[1].text", "contents[2].value", "contents_groups[1]"]);
  });

  it("names the field that a rule on the whole message is about", () => {
    const request = create(CreateExportRequestSchema, {
      insightSearchIds: [1n],
      startDate: "2026-02-01",
      endDate: "2026-01-01",
    });
    expect(findViolations(CreateExportRequestSchema, request)).toEqual([
      { field: "start_date", message: "Give a date before end_date." },
    ]);
  });

  it("counts characters, not the halves that some are made of", () => {
    const violations = (value: string) =>
      findViolations(
        CreateOperationRequestSchema,
        create(CreateOperationRequestSchema, {
          type: OperationType.TEXT,
          analyses: [AnalysisType.TOPIC],
          contents: [text(value)],
        }),
      );
    expect(violations("😀".repeat(20_000))).toEqual([]);
    expect(violations("😀".repeat(20_001))).toHaveLength(1);
  });

  it("is done at once with patterns over the largest request", () => {
    const request = create(CreateOperationRequestSchema, {
      type: OperationType.TEXT,
      analyses: [AnalysisType.TOPIC],
      contents: [text("x")],
      contentsGroups: Array.from({ length: 1000 }, () => `${"1 , ".repeat(2499)}x`),
    });
    // A backtracking match would take minutes, and end this test by its time limit.
    expect(findViolations(CreateOperationRequestSchema, request)).toHaveLength(1000);
  });
});
