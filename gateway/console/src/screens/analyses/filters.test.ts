import { expect, it } from "vitest";
import { chosenFilters, queryOf } from "./filters.js";

const of = (text: string): ReturnType<typeof chosenFilters> => chosenFilters(new URLSearchParams(text));

it("reads the filters of an address, and asks the interface for them", () => {
  const filters = of("type=file&analysis=caption&from=2026-01-01&to=2026-01-31&q=cat&content=3");
  expect(filters.map(({ name }) => name)).toEqual(["q", "type", "analysis", "from", "to"]);
  expect(queryOf(filters)).toEqual({
    q: "cat",
    type: "file",
    analysis: "caption",
    from: "2026-01-01",
    to: "2026-02-01",
  });
});

it("shows what it does not know, and asks for nothing of it", () => {
  const filters = of("type=smell&status=done&from=yesterday&to=2026-13-45");
  expect(filters.map(({ isUnknown }) => isUnknown)).toEqual([true, false, true, true]);
  expect(queryOf(filters)).toEqual({ status: "done" });
});

it("asks for no period that ends before it begins", () => {
  expect(queryOf(of("from=2026-01-05&to=2026-01-01"))).toEqual({ from: "2026-01-05" });
  expect(queryOf(of("from=2026-01-05&to=2026-01-05"))).toEqual({ from: "2026-01-05", to: "2026-01-06" });
});
