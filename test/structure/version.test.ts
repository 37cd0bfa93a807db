import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { readVersion } from "@hourglass/runtime";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const read = (file: string): string => readFileSync(path.join(ROOT, file), "utf8");

it("is one for all packages, the image and the chart", () => {
  const { version, workspaces } = JSON.parse(read("package.json")) as { version: string; workspaces: string[] };
  const packages = workspaces.map(
    (folder) => (JSON.parse(read(`${folder}/package.json`)) as { version: string }).version,
  );
  const [, image] = /^ARG VERSION=(.*)$/m.exec(read("services/Dockerfile")) ?? [];
  const [, chart] = /^version: (.*)$/m.exec(read("services/deploy/Chart.yaml")) ?? [];
  const [, app] = /^appVersion: "(.*)"$/m.exec(read("services/deploy/Chart.yaml")) ?? [];
  expect(new Set([...packages, image, chart, app, readVersion()])).toEqual(new Set([version]));
});
