import { readdirSync, readFileSync } from "node:fs";
import { EXPLAINED_CODES, type ErrorKind, type ExplainedCode, toHttpStatus } from "@hourglass/runtime";
import { describe, expect, it } from "vitest";
import { errorsPage } from "./errors-page.js";

const ROOT = new URL("../../", import.meta.url);
const CATALOG = "error-codes.ts";

const sources = ["gateway/src", "services"]
  .flatMap((folder) =>
    readdirSync(new URL(folder, ROOT), { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`),
  )
  .filter((name) => /\/src\/.*\.ts$/.test(name) && !/\.test\.ts$|\/testing\/|\/demo\//.test(name))
  .filter((name) => !name.endsWith(CATALOG))
  .map((name) => readFileSync(new URL(name, ROOT), "utf8"))
  .join("\n");

const explained = Object.values(EXPLAINED_CODES).flatMap((group) => Object.entries<ExplainedCode>(group));
const statuses = new Map<string, number>(explained.map(([code, { status }]) => [code, status]));

/** Codes whose status is not that of their kind. */
const OWN_STATUS = new Map([
  ["already_exists", 409],
  ["precondition_failed", 412],
]);

/** The kinds and statuses with which the source throws a code in one expression. */
const thrown = [
  ...sources.matchAll(
    /new (AppError|RefusedRequest)\(\s*("[a-z-]+"|\d{3}),(?:(?!new AppError)[^;]){1,400}?code: "([a-z_]+)"/g,
  ),
].map(([, , first = "", code = ""]) => ({
  code,
  status:
    OWN_STATUS.get(code) ?? (first.startsWith('"') ? toHttpStatus(JSON.parse(first) as ErrorKind) : Number(first)),
}));

describe("the page of errors", () => {
  it("is what its generator makes of the codes in the source", () => {
    expect(readFileSync(new URL("docs/errors.md", ROOT), "utf8")).toBe(errorsPage());
  });

  it("explains no code that the source does not know", () => {
    expect([...statuses.keys()].filter((code) => !sources.includes(`"${code}"`) && !isComposed(code))).toEqual([]);
  });

  it("gives the statuses that the source gives", () => {
    expect(thrown.length).toBeGreaterThan(25);
    const wrong = thrown.filter(({ code, status }) => statuses.get(code) !== status && code !== "storage_full");
    expect(wrong).toEqual([]);
  });
});

/** `operation_failed` and `operation_invalid` are made of the status of the operation. */
function isComposed(code: string): boolean {
  return /^operation_(failed|invalid)$/.test(code);
}
