import { expect, it } from "vitest";
import { expectIntact } from "../../processes/crash-loop/expect-intact.js";
import { topologies } from "../../processes/crash-loop/topologies.js";
import { describeReport, runCrashLoop } from "../../processes/crash-loop/crash-loop.js";
import { serverTestStorage, testServers } from "../../support/test-storage.js";
import { LIMITS } from "../../support/limits.js";

it.each(topologies("processes"))(
  "a crash loop on real servers loses no accepted operation and ends none twice, whichever part dies: %s",
  { timeout: LIMITS.processes, retry: 0 },
  async (topology) => {
    const report = await runCrashLoop({
      testStorage: await serverTestStorage(testServers()),
      topology,
      kills: 3,
      terms: 2,
      workers: 2,
      leaseSeconds: 2,
      seed: Date.now() % 1_000_000,
      operationsMin: 60,
      operations: 150,
      clients: 3,
      lifeMaxMs: 700,
      drainMs: 180_000,
      giveUpMs: 800_000,
    });
    process.stdout.write(`crash loop: ${describeReport(report)}\n`);
    expectIntact(report);
    expect(report.accepted).toBeGreaterThanOrEqual(60);
    expect(report.done).toBeGreaterThanOrEqual(0.95 * (report.accepted - report.deleted));
  },
);
