import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";
import { findChromium } from "../../support/chromium.js";
import { type Demo, startDemo } from "../../support/demo.js";
import { LIMITS } from "../../support/limits.js";

declare module "vitest" {
  interface ProvidedContext {
    /** The demo that all tests look at; undefined where there is no browser. */
    demo: Demo | undefined;
  }
}

const ENTRY = fileURLToPath(new URL("../../../services/demo/dist/main.js", import.meta.url));

let stop: (() => Promise<void>) | undefined;

/** Starts the demo for all tests; says loudly that nothing is tested where there is no browser. */
export async function setup(project: TestProject): Promise<void> {
  if (findChromium() === undefined) {
    process.stderr.write(
      "\n!!! NOT TESTED: the web console. There is no Chromium here: install one (apt install chromium), or set CHROMIUM_PATH.\n\n",
    );
    project.provide("demo", undefined);
    return;
  }
  // No new postings while the tests run: what a test has counted stays so.
  const started = await startDemo({ entry: ENTRY, postings: 500, perMinute: 0, limitMs: LIMITS.test });
  stop = started.stop;
  project.provide("demo", started.demo);
}

export async function teardown(): Promise<void> {
  await stop?.();
}
