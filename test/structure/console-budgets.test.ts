import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

it("the build of the console fails, and says what, where a budget is exceeded", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "hourglass-console-"));
  try {
    const budget = { first: 1_000, all: 2_000, seconds: 0.01 };
    const { code, said } = await built(folder, budget);
    expect(code).toBe(1);
    expect(said).toMatch(/first screen: \d+ bytes with brotli, at most 1000/);
    expect(said).toMatch(/all: \d+ bytes with brotli, at most 2000/);
    expect(said).toMatch(/the build: [\d.]+ s of processor time, at most 0\.01/);
    expect(said).not.toContain("settings:");
    // What is too large can be looked at.
    expect(await readFile(path.join(folder, "index.html"), "utf8")).toContain("/assets/console-");
  } finally {
    await rm(folder, { recursive: true });
  }
});

async function built(folder: string, budget: object): Promise<{ readonly code: number | null; readonly said: string }> {
  const parameters = ["gateway/console/bundle.mjs", "--out", folder, "--budget", JSON.stringify(budget)];
  const child = spawn(process.execPath, parameters, { cwd: ROOT, stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, said };
}
