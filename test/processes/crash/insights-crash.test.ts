import { expect, it } from "vitest";
import { expectIntact } from "../crash-loop/expect-intact.js";
import { topologies } from "../crash-loop/topologies.js";
import { embeddedTestStorage } from "../../support/test-storage.js";
import { describeInsightsReport, runInsightsCrash } from "../insights/insights-crash.js";

it.each(topologies("one-process"))(
  "loses no posting and stores none twice, whatever dies when: %s",
  { retry: 0 },
  async (topology) => {
    const report = await runInsightsCrash({
      testStorage: await embeddedTestStorage(),
      topology,
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
  },
);
