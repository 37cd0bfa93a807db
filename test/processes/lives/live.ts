import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { endWithUs } from "../../support/end-with-us.js";
import type { TestStorage } from "../../support/test-storage.js";

export interface LifeOptions {
  storage: TestStorage;
  /** Steps at which it is killed, as in FAILPOINTS. */
  failpoints?: string;
  /** How far its clock is ahead, in milliseconds. */
  aheadMs?: number;
}

/** A process from its start to its end. */
export interface Life {
  /** What ended it: a signal or an exit code. */
  end: NodeJS.Signals | number | null;
  output: string;
}

/** Lives once; `entry` is a file of test/processes as it is compiled, without its ending. */
export async function live(entry: string, { storage, failpoints = "", aheadMs = 0 }: LifeOptions): Promise<Life> {
  const file = fileURLToPath(new URL(`../../dist/processes/${entry}.js`, import.meta.url));
  const child = spawn(process.execPath, [file, failpoints, String(aheadMs)], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...storage.env },
  });
  endWithUs(() => child.kill("SIGKILL"));
  const [output, [code, signal]] = await Promise.all([
    text(child.stdout),
    once(child, "exit") as Promise<[number | null, NodeJS.Signals | null]>,
  ]);
  return { end: signal ?? code, output };
}

/**
 * Dies at the step, once or twice: some are passed once only; then lives undisturbed, and returns that life. `before`: steps
 * at which it dies first, so that there is something to do.
 */
export async function liveOnAfter(
  point: string,
  { entry, storage, laterMs, before = [] }: { entry: string; storage: TestStorage; laterMs: number; before?: string[] },
): Promise<Life> {
  let aheadMs = 0;
  const next = async (failpoints: string): Promise<Life> => {
    const life = await live(entry, { storage, failpoints, aheadMs });
    aheadMs += laterMs;
    return life;
  };
  for (const step of [...before, point]) expect((await next(`${step}=1`)).end, step).toBe("SIGKILL");
  expect(["SIGKILL", 0]).toContain((await next(`${point}=2`)).end);
  const last = await next("");
  expect(last.end).toBe(0);
  return last;
}
