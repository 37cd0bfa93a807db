import { expect, it } from "vitest";
import { noticeOfResume } from "./insights.js";
import type { InsightQuery } from "./store/records.js";

it("a resumed preview is not said to collect continuously", () => {
  const notice = (sneakPeek: boolean) => noticeOfResume({ sneakPeek } as InsightQuery);
  expect(notice(false)).toContain("continuously");
  expect(notice(true)).not.toContain("continuously");
});
