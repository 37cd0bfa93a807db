import { create } from "@bufbuild/protobuf";
import { CreateExportRequestSchema } from "@hourglass/proto/export/v1/export_service";
import { ListPostingsRequestSchema } from "@hourglass/proto/insight/v1/insight_service";
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

  it.each([
    ["2026-02-30", "2026-03-01", ["start_date"]],
    ["2027-02-29", "2027-03-01", ["start_date"]],
    ["2028-02-29", "2028-03-01", []],
    ["2100-02-29", "2100-03-01", ["start_date"]],
    ["2000-02-29", "2000-03-01", []],
    ["2026-04-31", "2026-13-01", ["end_date", "start_date"]],
    ["0026-01-01", "0026-01-02", ["end_date", "start_date"]],
    ["2026-1-1", "2026-01-02T00:00:00Z", ["end_date", "start_date"]],
    ["9999-12-30", "9999-12-31", []],
    ["2026-01-01", "2027-01-02", []],
    ["2026-01-01", "2027-01-03", ["end_date"]],
    ["1000-01-01", "9999-12-31", ["end_date"]],
    ["2026-01-01", "2026-01-01", ["start_date"]],
  ])("judges a range of dates from %s to %s by the calendar", (startDate, endDate, fields) => {
    const request = create(CreateExportRequestSchema, { insightSearchIds: [1n, 1n], startDate, endDate });
    const wrong = findViolations(CreateExportRequestSchema, request).map(({ field }) => field);
    expect(wrong.sort()).toEqual(fields);
  });

  it("names it within the message that the rule is on", () => {
    const time = { seconds: 5n };
    const request = create(ListPostingsRequestSchema, { id: 1n, filter: { start: time, end: time } });
    expect(findViolations(ListPostingsRequestSchema, request)).toEqual([
      { field: "filter.start", message: "Give a start before the end." },
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

  it("refuses ids that are not positive or that JavaScript cannot hold exactly, in lists as well", () => {
    const insightSearchIds = [1n, 0n, 2n ** 53n - 1n, -1n, 2n ** 53n];
    const dates = { startDate: "2026-01-01", endDate: "2026-02-01" };
    const request = create(CreateExportRequestSchema, { insightSearchIds, ...dates });
    const message = "Give an id: a positive whole number below 2^53.";
    expect(findViolations(CreateExportRequestSchema, request)).toEqual([
      { field: "insight_search_ids[1]", message },
      { field: "insight_search_ids[3]", message },
      { field: "insight_search_ids[4]", message },
    ]);
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
