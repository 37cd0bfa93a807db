import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const BUSY_POOL = fileURLToPath(new URL("../dist/processes/busy-pool.js", import.meta.url));

// Ending a thread inside the runtime of the models aborts the whole process with SIGABRT.
it.each(["exit", "close"])("ends in order while threads analyze: %s", async (how) => {
  const child = spawn(process.execPath, [BUSY_POOL, how], { stdio: ["ignore", "ignore", "pipe"] });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
  expect({ code, signal, errors }).toEqual({ code: 0, signal: null, errors: "" });
});
