import { PLATFORM } from "@hourglass/posting";
import { expect, it } from "vitest";
import {
  ANALYSIS_TYPE,
  DIMENSION,
  EXPORT_STATUS,
  INSIGHT_DIMENSION,
  INSIGHT_STATUS,
  OFFSET_UNIT,
  OPERATION_STATUS,
  OPERATION_TYPE,
  SOURCE,
} from "./fields.js";

// The spellings in the interface, verbatim.
it.each([
  ["OPERATION_TYPE", OPERATION_TYPE, "text file"],
  ["OPERATION_STATUS", OPERATION_STATUS, "ready pending running failed invalid done"],
  [
    "ANALYSIS_TYPE",
    ANALYSIS_TYPE,
    "sentiment-simple sentiment-real topic spam-detection personality-mb intention face-id object-id activity-id logo-id caption",
  ],
  ["DIMENSION", DIMENSION, "textual audial visual-image visual-gif visual-video"],
  ["OFFSET_UNIT", OFFSET_UNIT, "code_points utf16"],
  ["SOURCE", SOURCE, "content transcript ocr group"],
  [
    "PLATFORM",
    PLATFORM,
    // The last two are no platforms of the interface: a server has them only where its settings name them.
    "twitter reddit news youtube-videos youtube-comments facebook instagram linkedin tiktok bluesky mastodon",
  ],
  ["INSIGHT_DIMENSION", INSIGHT_DIMENSION, "textual audial visual"],
  ["INSIGHT_STATUS", INSIGHT_STATUS, "running paused completed failed"],
  ["EXPORT_STATUS", EXPORT_STATUS, "pending running failed done"],
])("spells %s as the interface does", (_name, spelling, names) => {
  expect(spelling.names.join(" ")).toBe(names);
  for (const [index, name] of spelling.names.entries()) {
    expect(spelling.read(name, "x", [])).toBe(spelling.desc.values[index + 1]?.number);
    expect(spelling.of.call(spelling, index + 1)).toBe(name);
  }
});

it.each(["", "picture", "toString", "__proto__", 1, null, ["text"], {}])(
  "refuses %j and lists what is allowed",
  (value) => {
    const violations: { field: string; message: string }[] = [];
    expect(OPERATION_TYPE.read(value, "type", violations)).toBeNull();
    expect(violations).toEqual([{ field: "type", message: "Give one of these: text, file." }]);
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
  const violations: { field: string; message: string }[] = [];
  ANALYSIS_TYPE.read(given, "analyses[0]", violations);
  expect(violations[0]?.message).toMatch(
    new RegExp(`^Did you mean ${meant}\\? Give one of these: sentiment-simple, .*\\.$`),
  );
});

it.each(["mood", "x", "sentiment", "a".repeat(100_000)])("suggests nothing for %.20j", (given) => {
  const violations: { field: string; message: string }[] = [];
  ANALYSIS_TYPE.read(given, "analyses[0]", violations);
  expect(violations[0]?.message).toMatch(/^Give one of these: /);
});

it("spells what only a newer server knows, since a release may be rolled out at that moment", () => {
  expect(OPERATION_STATUS.of.call(OPERATION_STATUS, 0)).toBe("unknown");
  expect(ANALYSIS_TYPE.of.call(ANALYSIS_TYPE, 99)).toBe("99");
});
