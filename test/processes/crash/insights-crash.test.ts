import { expect, it } from "vitest";
import { expectIntact } from "../crash-loop/expect-intact.js";
import { embeddedTestStorage } from "../../support/test-storage.js";
import { describeInsightsReport, runInsightsCrash } from "../insights/insights-crash.js";

it("loses no posting and stores none twice, whenever its process dies", { retry: 0 }, async () => {
  const report = await runInsightsCrash({
    testStorage: await embeddedTestStorage(),
    topology: "one-process",
    leaseSeconds: 2,
    seed: Date.now() % 1_000_000,
    kills: 2,
    terms: 1,
    lifeMaxMs: 700,
    items: 150,
    drainMs: 120_000,
    giveUpMs: 800_000,
  });
  process.stdout.write(`insights: ${describeInsightsReport(report)}\n`);
  expectIntact(report);
  expect(report.fetchesPerInterval).toBeLessThanOrEqual(2);
  expect(report.postings).toBeGreaterThan(0);
});
