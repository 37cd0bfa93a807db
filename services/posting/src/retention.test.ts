import { PlatformSchema } from "@hourglass/proto/insight/v1/platform";
import { defineSettings, enumSpellings, readConfig } from "@hourglass/runtime";
import { expect, it } from "vitest";
import { readRetentionDays, retentionVariables } from "./retention.js";

it("has a variable for each platform", () => {
  const platforms = [...enumSpellings(PlatformSchema).values()].map((name) => name.replace("-", "_").toUpperCase());
  expect(Object.keys(retentionVariables).sort()).toEqual(platforms.map((name) => `RETENTION_DAYS_${name}`).sort());
});

it("keeps postings of YouTube for 30 days, of LinkedIn for 180, and others forever, unless configured otherwise", () => {
  const { days } = readConfig({}, { days: defineSettings(retentionVariables, readRetentionDays) });
  expect(days).toEqual({ "youtube-videos": 30, "youtube-comments": 30, linkedin: 180 });
});
