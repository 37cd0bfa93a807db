import { expect, it } from "vitest";
import { embeddedTestStorage } from "../support/test-storage.js";
import { describeReport, runCrashLoop } from "./crash-loop/crash-loop.js";
import { expectIntact } from "./crash-loop/expect-intact.js";

// ./crash/crash-loop.test.ts kills the process at every step, which takes minutes.
it("loses no accepted operation and ends none twice when its process is killed", { retry: 0 }, async () => {
  const report = await runCrashLoop({
    testStorage: await embeddedTestStorage(),
    topology: "one-process",
    leaseSeconds: 1,
    seed: Date.now() % 1_000_000,
    everyStep: false,
    operationsMin: 20,
    operations: 60,
    kills: 2,
    terms: 0,
    clients: 4,
    lifeMaxMs: 500,
    drainMs: 100_000,
    giveUpMs: 170_000,
  });
  expectIntact(report);
  expect(report.accepted, describeReport(report)).toBeGreaterThanOrEqual(20);
});
