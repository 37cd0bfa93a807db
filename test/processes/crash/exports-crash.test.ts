import { expect, it } from "vitest";
import { expectIntact } from "../crash-loop/expect-intact.js";
import { topologies } from "../crash-loop/topologies.js";
import { embeddedTestStorage } from "../../support/test-storage.js";
import { describeExportsReport, runExportsCrash } from "../exports/exports-crash.js";

it.each(topologies("one-process"))(
  "exports are whole, rendered once and free of what was erased, whatever dies when: %s",
  { retry: 0 },
  async (topology) => {
    const report = await runExportsCrash({
      testStorage: await embeddedTestStorage(),
      topology,
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
