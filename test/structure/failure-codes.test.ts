import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { EXPLAINED_CODES } from "@hourglass/runtime";
import { expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The text of all tests of the services, of the gateway, and of the whole, but this one. */
async function readTests(): Promise<string> {
  const sources: Promise<string>[] = [];
  for (const folder of ["services", "gateway/src", "test"]) {
    for (const name of await readdir(path.join(ROOT, folder), { recursive: true })) {
      if (!name.endsWith(".test.ts") || /node_modules|dist\/|structure\//.test(name)) continue;
      sources.push(readFile(path.join(ROOT, folder, name), "utf8"));
    }
  }
  return (await Promise.all(sources)).join("\n");
}

it("every code of a failure that is documented is expected by a test", async () => {
  const tests = await readTests();
  const codes = Object.values(EXPLAINED_CODES).flatMap((part) => Object.keys(part));
  expect(codes.length).toBeGreaterThan(50);
  // In quotation marks, or at the end of a title or of a line.
  expect(codes.filter((code) => !new RegExp(`["'\\s:]${code}["'\\s,]`).test(tests))).toEqual([]);
});
