import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { CreateExportRequestSchema } from "@hourglass/proto/export/v1/export_service";
import { ImportPostingsRequestSchema, ListPostingsRequestSchema } from "@hourglass/proto/insight/v1/insight_service";
import { AnalysisType, OperationType } from "@hourglass/proto/operation/v1/operation";
import {
  CreateOperationRequestSchema,
  GetOperationRequestSchema,
} from "@hourglass/proto/operation/v1/operation_service";
import { describe, expect, it } from "vitest";
import { VIOLATIONS_MAX } from "../../errors/app-error.js";
import { findViolations, findViolationsInParts } from "./violations.js";

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

  it("names what is far too long without looking into it", () => {
    const request = create(CreateOperationRequestSchema, {
      contents: [text("x".repeat(1_000_000))],
      contentsGroups: ["1,".repeat(10_000_000), "x"],
    });
    expect(findViolations(CreateOperationRequestSchema, request)).toEqual([
      { field: "contents[0].text", message: "Give at most 20,000 characters." },
      { field: "contents_groups[0]", message: "Give at most 10,000 characters." },
    ]);
    const many = create(CreateOperationRequestSchema, { contents: Array.from({ length: 1001 }, () => ({})) });
    expect(findViolations(CreateOperationRequestSchema, many)).toEqual([
      { field: "contents", message: "Give at most 1,000 items." },
    ]);
  });

  it("names only the first mistake in a message of very many values", () => {
    const postings = Array.from({ length: 500 }, () => ({ textPostTags: Array<string>(50).fill("") }));
    const request = create(ImportPostingsRequestSchema, { part: { case: "slice", value: { postings } } });
    const found = findViolations(ImportPostingsRequestSchema, request);
    expect(found.map(({ field }) => field)).toEqual(["slice.postings[0].platform"]);
  });
});

describe("findViolationsInParts", () => {
  const found = (init: MessageInitShape<typeof CreateOperationRequestSchema>) =>
    findViolationsInParts(CreateOperationRequestSchema, create(CreateOperationRequestSchema, init));
  const long = "x".repeat(2000);
  const analyses = [AnalysisType.TOPIC];

  it("finds nothing wrong with a good request, however large", async () => {
    const contents = Array.from({ length: 1000 }, () => text("😀".repeat(10_000)));
    const contentsGroups = Array.from({ length: 1000 }, () => "1,".repeat(1000) + "1");
    expect(await found({ type: OperationType.TEXT, analyses, contents, contentsGroups })).toEqual([]);
  });

  it("names in a large request what it would name in a small one, by the same paths", async () => {
    const contents = Array.from({ length: 1000 }, (_, index) => text(index % 300 === 299 ? "" : long));
    const contentsGroups = Array.from({ length: 1000 }, (_, index) =>
      index === 777 ? `${long}x` : "1,".repeat(1000) + "1",
    );
    const violations = await found({ contents, contentsGroups });
    expect(violations.map(({ field }) => field)).toEqual([
      ...["type", "analyses"],
      ...["contents[299].text", "contents[599].text", "contents[899].text", "contents_groups[777]"],
    ]);
  });

  it("checks the rules on the whole request too", async () => {
    const url = { value: { case: "url" as const, value: `https://example.com/${long}` } };
    const file = { value: { case: "fileId" as const, value: 1n } };
    const contents = [...Array.from({ length: 500 }, () => url), file];
    expect(await found({ type: OperationType.FILE, analyses, contents })).toEqual([
      { field: "contents", message: "Give only file ids or only URLs in one operation." },
    ]);
  });

  it("stops when it has found more than a failure lists", async () => {
    for (const content of [text("x".repeat(20_001)), {}]) {
      const violations = await found({ contents: Array.from({ length: 1000 }, () => content) });
      expect(violations.length).toBeGreaterThan(VIOLATIONS_MAX);
      expect(violations.length).toBeLessThan(VIOLATIONS_MAX + 100);
      expect(violations.slice(0, 2).map(({ field }) => field)).toEqual(["type", "analyses"]);
    }
  });

  it("checks the items of messages in messages in parts, too", async () => {
    const postings = Array.from({ length: 500 }, () => ({ textPostTags: Array<string>(20).fill("tag") }));
    const request = create(ImportPostingsRequestSchema, { part: { case: "slice", value: { postings } } });
    const fields = (await findViolationsInParts(ImportPostingsRequestSchema, request)).map(({ field }) => field);
    expect(fields).toContain("slice.postings[0].platform");
    expect(fields).toContain("slice.postings[60].platform");
    expect(fields.length).toBeGreaterThan(VIOLATIONS_MAX);
  });
});
