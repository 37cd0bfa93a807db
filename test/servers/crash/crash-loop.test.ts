import { describe, expect, it } from "vitest";
import { describeReport, runCrashLoop } from "../../processes/crash-loop/crash-loop.js";
import { groundOn, testServers } from "../../support/ground.js";
import { LIMITS } from "../../support/limits.js";

// Faults 1 to 9 and 13 of the table in README.md.
describe.each(["one-process", "processes"] as const)("a crash loop on real servers, %s", (topology) => {
  it(
    "loses no accepted operation and ends none twice, whichever part dies",
    { timeout: LIMITS.processes, retry: 0 },
    async () => {
      const report = await runCrashLoop({
        ground: await groundOn(testServers()),
        topology,
        workers: 2,
        leaseSeconds: 2,
        seed: Date.now() % 1_000_000,
        operationsMin: 80,
        operations: 150,
        kills: 6,
        terms: 2,
        clients: 3,
        lifeMaxMs: 700,
        drainMs: 180_000,
        giveUpMs: 800_000,
      });
      process.stdout.write(`crash loop, ${topology}: ${describeReport(report)}\n`);
      expect(report).toMatchObject({ lost: [], twice: [], broken: [] });
      expect(report.accepted).toBeGreaterThanOrEqual(80);
      expect(report.done).toBeGreaterThanOrEqual(0.95 * (report.accepted - report.deleted));
    },
  );
});
