import { describe, expect, it } from "vitest";
import { exportOf } from "./export-range.js";

const RANGE = { insights: [1, 2], from: "2026-02-27", to: "2026-02-28" };
const NONE = new URLSearchParams();

describe("what a form of an export asks for", () => {
  it("has the last day in the form, and the day after it in the request", () => {
    expect(exportOf(RANGE, NONE, 366).wanted).toEqual({
      insight_search_ids: [1, 2],
      start_date: "2026-02-27",
      end_date: "2026-03-01",
    });
  });

  it("has the filters of the address, in the names of the interface", () => {
    const parameters = new URLSearchParams(
      "new=1&insight=1&polarity=negative&emotion=anger,fear&tag=recall&spam=hide&q=x",
    );
    expect(exportOf(RANGE, parameters, 366).wanted?.filter).toEqual({
      polarity: ["negative"],
      sentiment: ["anger", "fear"],
      hashtag: ["recall"],
      spam: ["false", "none"],
      q: "x",
    });
  });

  it.each([
    ["no insight", { ...RANGE, insights: [] }, 366],
    ["the last day before the first", { ...RANGE, to: "2026-02-26" }, 366],
    ["no date", { ...RANGE, from: "" }, 366],
    ["more days than the server exports", RANGE, 1],
  ])("says what is wrong: %s", (_what, range, daysMax) => {
    const { wanted, problem } = exportOf(range, NONE, daysMax);
    expect(wanted).toBeUndefined();
    expect(problem).toMatch(/\.$/);
  });
});
