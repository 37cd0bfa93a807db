import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";

const ENTRY = fileURLToPath(new URL("../../services/standalone/dist/admin/main.js", import.meta.url));

/** The exit code of a command, and its output. */
export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/**
 * Runs the administration command like an operator, and waits for its end. `env` is its whole environment except PATH.
 */
export async function runAdmin(env: Record<string, string>, args: readonly string[]): Promise<Outcome> {
  const child = spawn(process.execPath, [ENTRY, ...args], {
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const outcome: Outcome = { code: null, stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (outcome.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (outcome.stderr += text));
  outcome.code = await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  return outcome;
}

/** The outcome of a successful command. */
export const done = (stdout: string | RegExp) => ({
  code: 0,
  stderr: "",
  stdout: expect.stringMatching(stdout) as string,
});

/** The outcome of a refused command: no output that looks like a result. */
export const failed = (stderr: RegExp, code = 1) => ({
  code,
  stdout: "",
  stderr: expect.stringMatching(stderr) as string,
});
