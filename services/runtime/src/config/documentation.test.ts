import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { VARIABLES } from "./variables.js";

const page = readFileSync(new URL("../../../../docs/configuration.md", import.meta.url), "utf8");

it("documents every variable that is read", () => {
  const documented = new Set([...page.matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map((match) => match[1]));
  expect([...documented].sort()).toEqual(expect.arrayContaining(Object.keys(VARIABLES)));
  expect([...documented].filter((name) => name !== undefined && !(name in VARIABLES))).toEqual([]);
});
