import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

test("arrows between the parts point down, and names, the top level and the lock file are as agreed", () => {
  const cwd = fileURLToPath(new URL("../..", import.meta.url));
  const { status, stdout, stderr } = spawnSync("npm", ["run", "-s", "structure"], { cwd, encoding: "utf8" });
  expect(status === 0 ? "" : stdout + stderr).toBe("");
});
