import { expect, it } from "vitest";
import { expectIntact } from "../crash-loop/expect-intact.js";
import { embeddedTestStorage } from "../../support/test-storage.js";
import { describeExportsReport, runExportsCrash } from "../exports/exports-crash.js";

// Separate processes die at every step on real servers: test/servers/crash/exports-crash.test.ts.
it(
  "exports are whole, rendered once and free of what was erased, whenever the process dies",
  { retry: 0 },
  async () => {
    const report = await runExportsCrash({
      testStorage: await embeddedTestStorage(),
      topology: "one-process",
      leaseSeconds: 2,
      seed: Date.now() % 1_000_000,
      kills: 1,
      terms: 1,
      lifeMaxMs: 700,
      drainMs: 120_000,
      giveUpMs: 800_000,
    });
    process.stdout.write(`exports: ${describeExportsReport(report)}\n`);
    expectIntact(report);
    expect(report.erased).toBeGreaterThan(0);
  },
);
