import { expect, it } from "vitest";
import { expectIntact } from "../crash-loop/expect-intact.js";
import { embeddedTestStorage } from "../../support/test-storage.js";
import { describeReport, runCrashLoop } from "../crash-loop/crash-loop.js";
import { topologies } from "../crash-loop/topologies.js";

it.each(topologies("one-process"))(
  "loses no accepted operation and ends none twice, whatever dies when: %s",
  { retry: 0 },
  async (topology) => {
    const report = await runCrashLoop({
      testStorage: await embeddedTestStorage(),
      topology,
      leaseSeconds: 2,
      seed: Date.now() % 1_000_000,
      operationsMin: 100,
      operations: 250,
      kills: 3,
      terms: 2,
      clients: 4,
      lifeMaxMs: 700,
      drainMs: 180_000,
      giveUpMs: 800_000,
    });
    process.stdout.write(`crash loop: ${describeReport(report)}\n`);
    expectIntact(report);
    expect(report.accepted).toBeGreaterThanOrEqual(100);
    // An operation may fail if its worker was killed five times during it; most must not.
    expect(report.done).toBeGreaterThanOrEqual(0.95 * (report.accepted - report.deleted));
  },
);
