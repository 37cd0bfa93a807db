import { PLATFORM } from "@hourglass/posting";
import { DimensionSchema, OffsetUnitSchema, SourceSchema } from "@hourglass/proto/operation/v1/operation";
import { ExportStatusSchema } from "@hourglass/proto/export/v1/export";
import { InsightDimensionSchema, InsightStatusSchema } from "@hourglass/proto/insight/v1/insight";
import { Spelling, type Violations } from "@hourglass/runtime/json";
import { expect, it } from "vitest";
import * as z from "zod";
import { ANALYSIS_TYPE } from "./analyses.js";
import { examine } from "./input.js";
import { OPERATION_STATUS } from "./operation-json.js";
import { AnalysisType, OPERATION_TYPE, OperationType } from "./operation-results.js";

/** What is wrong with a name in a list. */
function violationsOf(schema: z.ZodType, name: unknown): Violations {
  const violations: Violations = [];
  examine(z.object({ names: z.array(schema) }), { names: [name] }, violations);
  return violations;
}

// The spellings in the interface, verbatim.
it.each([
  ["OPERATION_TYPE", OPERATION_TYPE, "text file"],
  ["OPERATION_STATUS", OPERATION_STATUS, "ready pending running failed invalid done"],
  [
    "ANALYSIS_TYPE",
    ANALYSIS_TYPE,
    "sentiment-simple sentiment-real topic spam-detection personality-mb intention face-id object-id activity-id logo-id caption",
  ],
  ["DIMENSION", new Spelling(DimensionSchema), "textual audial visual-image visual-gif visual-video"],
  ["OFFSET_UNIT", new Spelling(OffsetUnitSchema, "_"), "code_points utf16"],
  ["SOURCE", new Spelling(SourceSchema), "content transcript ocr group"],
  [
    "PLATFORM",
    PLATFORM,
    // The last two are no platforms of the interface: a server has them only where its settings name them.
    "twitter reddit news youtube-videos youtube-comments facebook instagram linkedin tiktok bluesky mastodon",
  ],
  ["INSIGHT_DIMENSION", new Spelling(InsightDimensionSchema), "textual audial visual"],
  ["INSIGHT_STATUS", new Spelling(InsightStatusSchema), "running paused completed failed"],
  ["EXPORT_STATUS", new Spelling(ExportStatusSchema), "pending running failed done"],
])("spells %s as the interface does", (_name, spelling, names) => {
  expect(spelling.names.join(" ")).toBe(names);
  for (const [index, name] of spelling.names.entries()) {
    expect(spelling.numberOf(name)).toBe(spelling.desc.values[index + 1]?.number);
    expect(spelling.of.call(spelling, index + 1)).toBe(name);
  }
});

it.each(["", "picture", "toString", "__proto__", 1, null, ["text"], {}])(
  "refuses %j and lists what is allowed",
  (value) => {
    const message = "Give one of these: text, file.";
    expect(violationsOf(OperationType, value)).toEqual([{ field: "names[0]", message }]);
  },
);

it.each([
  ["sentiment_simple", "sentiment-simple"],
  ["Sentiment-Simple", "sentiment-simple"],
  ["SENTIMENT REAL", "sentiment-real"],
  ["topics", "topic"],
  ["spam-detecton", "spam-detection"],
  ["faceid", "face-id"],
])("takes %j for %s, and suggests it", (given, meant) => {
  expect(violationsOf(AnalysisType, given)[0]?.message).toMatch(
    new RegExp(`^Did you mean ${meant}\\? Give one of these: sentiment-simple, .*\\.$`),
  );
});

it.each(["mood", "x", "sentiment", "a".repeat(100_000)])("suggests nothing for %.20j", (given) => {
  expect(violationsOf(AnalysisType, given)[0]?.message).toMatch(/^Give one of these: /);
});

it("spells what only a newer server knows, since a release may be rolled out at that moment", () => {
  expect(OPERATION_STATUS.of.call(OPERATION_STATUS, 0)).toBe("unknown");
  expect(ANALYSIS_TYPE.of.call(ANALYSIS_TYPE, 99)).toBe("99");
});
