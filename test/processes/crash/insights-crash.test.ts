import { expect, it } from "vitest";
import { expectIntact } from "../crash-loop/expect-intact.js";
import { topologies } from "../crash-loop/topologies.js";
import { embeddedTestStorage } from "../../support/test-storage.js";
import { describeInsightsReport, INSIGHT_LOOPS, runInsightsCrash } from "../insights/insights-crash.js";

const LIVES = topologies("one-process").flatMap((topology) => INSIGHT_LOOPS.map((each) => ({ topology, ...each })));

it.each(LIVES)(
  "loses no posting and stores none twice, whatever dies when: $topology, $loop",
  { retry: 0 },
  async ({ topology, steps }) => {
    const report = await runInsightsCrash({
      testStorage: await embeddedTestStorage(),
      topology,
      steps,
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
