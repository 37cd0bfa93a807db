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

/** Variables in the rows of the tables, by the parts that read them, sorted by name. */
const documented = new Map<string, string[]>();
for (const [, name = "", readers = ""] of page.matchAll(/^\| `([A-Z][A-Z0-9_]+)` \|[^|]*\| ([^|]*) \|/gm)) {
  documented.set(readers, [...(documented.get(readers) ?? []), name].sort());
}

const PLATFORM_VARIABLES = { ...EXTRA_PLATFORM_VARIABLES, ...retentionVariables };

/** Names of the variables, without those that several parts share. */
const own = (variables: object) =>
  Object.keys(variables)
    .filter((name) => !(name in SHARED_LIMITS) && !(name in FILE_LIMIT_VARIABLES) && !(name in PLATFORM_VARIABLES))
    .sort();

it.each([
  ["every process", own(PROCESS_VARIABLES)],
  ["gateway", own(gatewaySettings.variables)],
  ["gateway and service", Object.keys(SHARED_LIMITS).sort()],
  ["gateway, insight, workers", Object.keys(PLATFORM_VARIABLES).sort()],
  ["auth", own(authSettings.variables)],
  ["gateway, media, workers", Object.keys(FILE_LIMIT_VARIABLES).sort()],
  ["operation, workers", own(operationSettings.variables)],
  [
    "workers",
    own({
      ...WORKER_SETTINGS.work.variables,
      ...analysisSettings.variables,
      ...outboundSettings.variables,
    }),
  ],
  ["insight, workers", own(insightSettings.variables)],
  ["admin command", own(ADMIN_SETTINGS.admin.variables)],
])("documents the variables that are read by %s, and no others there", (readers, variables) => {
  expect(documented.get(readers)).toEqual(variables);
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
