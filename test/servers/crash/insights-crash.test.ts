import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectIntact } from "../../processes/crash-loop/expect-intact.js";
import { topologies } from "../../processes/crash-loop/topologies.js";
import { describeInsightsReport, INSIGHT_LOOPS, runInsightsCrash } from "../../processes/insights/insights-crash.js";
import { TEMPORARY } from "../../support/drop-database.js";
import { LIMITS } from "../../support/limits.js";
import { serverTestStorage, testServers } from "../../support/test-storage.js";
import { Secantus } from "../control/secantus.js";

const STEPS = [
  "collector.before_fetch",
  "collector.before_commit",
  "insight.before_store",
  "insight.after_store",
  "insight.before_results",
  "insight.after_results",
  "insight.after_create",
  "insight.after_delete",
  "insight.mid_deletion",
];

/** Parts on servers take too long to wait for the other steps, which are passed seldom. */
const LIVES = topologies("processes").flatMap((topology) => {
  const loops = topology === "processes" ? [{ loop: "around what is stored", steps: STEPS }] : INSIGHT_LOOPS;
  return loops.map((each) => ({ topology, ...each }));
});

/** Set unless TEST_MONGODB_URL names a server. */
let secantus: Secantus | undefined;

/**
 * Insights are stored in transactions, which random kills interrupt. MongoDB ends such a transaction by itself, after 30 s
 * as docs/kubernetes.md has it. SecantusDB 0.7 keeps its documents locked, so the test ends the transactions of killed
 * processes there: on its own server, because this ends those of all its clients.
 */
describe("insights on real servers, while the parts of the product die", () => {
  beforeAll(async () => {
    if (process.env[TEMPORARY] === undefined) return;
    secantus = await Secantus.start();
  });
  afterAll(() => secantus?.remove());

  it.each(LIVES)(
    "lose no posting and store none twice, whichever part dies: $topology, $loop",
    { timeout: LIMITS.processes, retry: 0 },
    async ({ topology, steps }) => {
      const own = secantus;
      const servers = { ...testServers(), ...(own === undefined ? {} : { mongodb: own.url }) };
      const report = await runInsightsCrash({
        testStorage: await serverTestStorage(servers),
        ...(own === undefined ? {} : { afterKill: () => own.endTransactions() }),
        topology,
        steps,
        workers: 2,
        kills: 2,
        terms: 1,
        leaseSeconds: 2,
        seed: Date.now() % 1_000_000,
        lifeMaxMs: 700,
        items: 100,
        drainMs: 180_000,
        giveUpMs: 800_000,
      });
      process.stdout.write(`insights: ${describeInsightsReport(report)}\n`);
      expectIntact(report);
      expect(report.fetchesPerInterval).toBeLessThanOrEqual(2);
      expect(report.postings).toBeGreaterThan(0);
    },
  );
});
