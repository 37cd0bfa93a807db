import { expect, it } from "vitest";
import "../testing/browser-globals.js";
import { pauseFor, type ExportPage, type ListedExport } from "./exports.js";

const NOW = Date.parse("2026-11-27T12:00:00Z");

function page(...created: readonly (readonly [ListedExport["status"], string])[]): ExportPage {
  const exports = created.map(([status, at]) => ({ status, created_at: at }) as ListedExport);
  return { exports, next_cursor: null };
}

it("running exports are asked for often at first, and less often the longer they take", () => {
  expect(pauseFor(page(["running", "2026-11-27T11:59:59Z"]), NOW)).toBe(2_000);
  expect(pauseFor(page(["running", "2026-11-27T11:59:00Z"]), NOW)).toBe(6_000);
  expect(pauseFor(page(["pending", "2026-11-27T09:00:00Z"]), NOW)).toBe(15_000);
  expect(pauseFor(page(["done", "2026-11-27T11:59:59Z"]), NOW)).toBe(60_000);
  // The clock of the computer is an hour behind.
  expect(pauseFor(page(["running", "2026-11-27T13:00:00Z"]), NOW)).toBe(2_000);
});
