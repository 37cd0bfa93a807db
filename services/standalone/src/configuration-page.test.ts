import { readFileSync } from "node:fs";
import { analysisSettings } from "@hourglass/analysis";
import { FILE_LIMIT_VARIABLES } from "@hourglass/analysis/formats";
import { authSettings } from "@hourglass/auth";
import { gatewaySettings } from "@hourglass/gateway";
import { insightSettings } from "@hourglass/insight";
import { EXTRA_PLATFORM_VARIABLES, retentionVariables } from "@hourglass/posting";
import { operationSettings } from "@hourglass/operation";
import { namesOf, outboundSettings, PROCESS_VARIABLES, SHARED_LIMITS, variablesOf } from "@hourglass/runtime";
import { WORKER_SETTINGS } from "@hourglass/worker";
import { expect, it } from "vitest";
import { ADMIN_SETTINGS } from "./config.js";

const page = readFileSync(new URL("../../../docs/configuration.md", import.meta.url), "utf8");

/** Variables in the first column below each heading, sorted by name. */
const documented = new Map(
  page
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const rows = section.split("\n").filter((line) => line.startsWith("| `"));
      const names = rows.flatMap((row) => row.split("|")[1]?.match(/[A-Z][A-Z0-9_]+/g) ?? []);
      return [section.split("\n", 1)[0], names.sort()] as const;
    }),
);

const PLATFORM_VARIABLES = { ...EXTRA_PLATFORM_VARIABLES, ...retentionVariables };

/** Names of the variables, without those documented in a shared section. */
const own = (variables: object) =>
  Object.keys(variables)
    .filter((name) => !(name in SHARED_LIMITS) && !(name in FILE_LIMIT_VARIABLES) && !(name in PLATFORM_VARIABLES))
    .sort();

it.each([
  ["Every process", own(PROCESS_VARIABLES)],
  ["Gateway", own(gatewaySettings.variables)],
  ["Gateway and the service that enforces the limit", Object.keys(SHARED_LIMITS).sort()],
  ["Gateway, Insight and workers", Object.keys(PLATFORM_VARIABLES).sort()],
  ["Auth", own(authSettings.variables)],
  ["Gateway, Media and workers", Object.keys(FILE_LIMIT_VARIABLES).sort()],
  ["Operation and workers", own(operationSettings.variables)],
  [
    "Workers",
    own({
      ...WORKER_SETTINGS.work.variables,
      ...analysisSettings.variables,
      ...outboundSettings.variables,
    }),
  ],
  ["Insight", own(insightSettings.variables)],
  ["Administration command", own(ADMIN_SETTINGS.admin.variables)],
])("documents the variables of the section %s, and no others there", (section, variables) => {
  expect(documented.get(section)).toEqual(variables);
});

it("documents every variable that some process reads exactly once", () => {
  expect([...documented.values()].flat().sort()).toEqual(Object.keys(variablesOf(ADMIN_SETTINGS)).sort());
});

it("names every secret that can come from a file, and no others", () => {
  const [, list = ""] = /The secrets: ([^.]*)\./.exec(page) ?? [];
  const secrets = namesOf(variablesOf(ADMIN_SETTINGS)).filter((name) => isSecretFile(name));
  expect(list.match(/[A-Z_]+/g)?.sort()).toEqual(secrets.map((name) => name.replace(/_FILE$/, "")).sort());
});

const isSecretFile = (name: string) => name.endsWith("_FILE") && !(name in variablesOf(ADMIN_SETTINGS));
