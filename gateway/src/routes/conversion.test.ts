import { create } from "@bufbuild/protobuf";
import { CreateExportRequestSchema } from "@hourglass/proto/export/v1/export_service";
import {
  FollowSchema,
  InsightDimension,
  InsightDimensionSchema,
  InsightQuerySchema,
} from "@hourglass/proto/insight/v1/insight";
import { ListPostingsRequestSchema } from "@hourglass/proto/insight/v1/insight_service";
import { TopAuthorSchema } from "@hourglass/proto/insight/v1/summary";
import { ContentResultSchema } from "@hourglass/proto/operation/v1/operation";
import { Spelling, type Violations } from "@hourglass/runtime/json";
import { describe, expect, it } from "vitest";
import { writerOf } from "./conversion.js";
import { readObject } from "./input.js";
import * as s from "./schema.js";

const Dimension = s.spelled(new Spelling(InsightDimensionSchema), "A dimension.");

describe("an object that a message carries", () => {
  const Follow = s.response("F", FollowSchema, { feeds: s.list(s.text()) });
  const write = writerOf(
    s.response("Q", InsightQuerySchema, {
      keywords: s.text(),
      dimensions: s.list(Dimension),
      place: s.from("location", s.nullable(s.text())),
      sneak_peek: s.optional(s.boolean()),
      follow: s.nullable(Follow),
    }),
  );

  it("has null or nothing for what the contract leaves out, and the empty value for what its schema requires", () => {
    expect(write(create(InsightQuerySchema))).toEqual({ keywords: "", dimensions: [], place: null, follow: null });
    const full = { keywords: "a", dimensions: [InsightDimension.VISUAL], location: "0", sneakPeek: true, follow: {} };
    expect(write(create(InsightQuerySchema, full))).toEqual({
      keywords: "a",
      dimensions: ["visual"],
      place: "0",
      sneak_peek: true,
      follow: { feeds: [] },
    });
  });

  it("keeps a zero where the contract tells it from nothing", () => {
    const writeResult = writerOf(s.response("R", ContentResultSchema, { ocr_text: s.optional(s.text()) }));
    expect(writeResult(create(ContentResultSchema, { ocrText: "" }))).toEqual({ ocr_text: "" });
    expect(writeResult(create(ContentResultSchema))).toEqual({});
  });

  it("finds values in messages within, which may be absent", () => {
    const name = s.from("author.author_name", s.nullable(s.text()));
    const writeAuthor = writerOf(s.response("A", TopAuthorSchema, { name, count: s.total("Postings.") }));
    const author = { authorName: "Ann" };
    expect(writeAuthor(create(TopAuthorSchema, { author, count: 2n }))).toEqual({ name: "Ann", count: 2 });
    expect(writeAuthor(create(TopAuthorSchema))).toEqual({ name: null, count: 0 });
  });

  it("is described by fields that the contract has", () => {
    expect(() => s.response("Q", InsightQuerySchema, { keyword: s.text() })).toThrow("has no field keyword");
  });
});

describe("a request of the wrong shape", () => {
  const Days = s.request(ListPostingsRequestSchema, {
    limit: s.optional(s.integer()),
    start_date: s.from("filter.start", s.optional(s.day("From this day on."))),
  });
  const NewExport = s.request(CreateExportRequestSchema, {
    insight_search_ids: s.list(s.recordId("Id of an insight.")),
    start_date: s.text(),
  });

  it("is read as far as it is right; wrong items break the rules, and none equals another", () => {
    const violations: Violations = [];
    const json = { insight_search_ids: [7, "8", null, 0], start_date: 5 };
    expect(readObject(NewExport, json, violations)).toEqual({ insightSearchIds: [7n, -2n, -3n, -4n] });
    expect(violations.map(({ field }) => field)).toEqual([
      "insight_search_ids[1]",
      "insight_search_ids[2]",
      "insight_search_ids[3]",
      "start_date",
    ]);
    expect(violations.at(-1)?.message).toBe("Give a string.");
  });

  it("is not looked at where a list is longer than the rules allow", () => {
    const violations: Violations = [];
    readObject(NewExport, { insight_search_ids: Array(101).fill("x"), start_date: "" }, violations);
    expect(violations).toEqual([{ field: "insight_search_ids", message: "Give at most 100 items." }]);
  });

  it("leads to the places that the contract has for its parameters", () => {
    const violations: Violations = [];
    const start = { seconds: 1_769_817_600n, nanos: 0 };
    expect(readObject(Days, { limit: 3, start_date: "2026-01-31" }, violations)).toEqual({
      limit: 3,
      filter: { start },
    });
    expect(violations).toEqual([]);
    readObject(Days, { limit: 1e9, start_date: "2026-02-30" }, violations);
    expect(violations.map(({ field }) => field)).toEqual(["limit", "start_date"]);
  });
});
