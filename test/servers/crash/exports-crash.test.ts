import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expectIntact } from "../../processes/crash-loop/expect-intact.js";
import { topologies } from "../../processes/crash-loop/topologies.js";
import { describeExportsReport, runExportsCrash } from "../../processes/exports/exports-crash.js";
import { TEMPORARY } from "../../support/drop-database.js";
import { LIMITS } from "../../support/limits.js";
import { serverTestStorage, testServers } from "../../support/test-storage.js";
import { Secantus } from "../control/secantus.js";

/** Set unless TEST_MONGODB_URL names a server; ./insights-crash.test.ts tells why it is one of its own. */
let secantus: Secantus | undefined;

describe("exports on real servers, while the parts of the product die", () => {
  beforeAll(async () => {
    if (process.env[TEMPORARY] === undefined) return;
    secantus = await Secantus.start();
  });
  afterAll(() => secantus?.remove());

  it.each(topologies("processes"))(
    "are whole, rendered once and free of what was erased, whichever part dies: %s",
    { timeout: LIMITS.processes, retry: 0 },
    async (topology) => {
      const own = secantus;
      const servers = { ...testServers(), ...(own === undefined ? {} : { mongodb: own.url }) };
      const report = await runExportsCrash({
        testStorage: await serverTestStorage(servers),
        ...(own === undefined ? {} : { afterKill: () => own.endTransactions() }),
        topology,
        leaseSeconds: 2,
        seed: Date.now() % 1_000_000,
        kills: 2,
        terms: 1,
        lifeMaxMs: 700,
        drainMs: 180_000,
        giveUpMs: 800_000,
      });
      process.stdout.write(`exports: ${describeExportsReport(report)}\n`);
      expectIntact(report);
      expect(report.erased).toBeGreaterThan(0);
    },
  );
});
