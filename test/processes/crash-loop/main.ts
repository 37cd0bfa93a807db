import { parseArgs } from "node:util";
import { embeddedTestStorage, serverTestStorage, testServers } from "../../support/test-storage.js";
import { describeReport, runCrashLoop } from "./crash-loop.js";

/**
 * The long run, started manually: `node test/dist/processes/crash-loop/main.js --operations 10000 --kills 50 --seed 1`;
 * with `--processes --servers` on the database and the broker of TEST_MONGODB_URL and TEST_AMQP_URL.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      operations: { type: "string", default: "10000" },
      kills: { type: "string", default: "50" },
      terms: { type: "string", default: "5" },
      clients: { type: "string", default: "8" },
      life: { type: "string", default: "8000" },
      lease: { type: "string", default: "1" },
      seed: { type: "string", default: String(Date.now() % 1_000_000) },
      processes: { type: "boolean", default: false },
      workers: { type: "string", default: "2" },
      servers: { type: "boolean", default: false },
    },
  });
  const report = await runCrashLoop({
    testStorage: values.servers ? await serverTestStorage(testServers()) : await embeddedTestStorage(),
    topology: values.processes ? "processes" : "one-process",
    workers: Number(values.workers),
    leaseSeconds: Number(values.lease),
    seed: Number(values.seed),
    operationsMin: Number(values.operations),
    operations: Number(values.operations),
    kills: Number(values.kills),
    terms: Number(values.terms),
    clients: Number(values.clients),
    lifeMaxMs: Number(values.life),
    drainMs: 600_000,
    giveUpMs: 4 * 3_600_000,
  });
  process.stdout.write(`${describeReport(report)}\n`);
  const faults = [
    ...report.broken,
    ...report.lost.map((id) => `lost ${id}`),
    ...report.twice.map((id) => `twice ${id}`),
  ];
  for (const fault of faults) process.stdout.write(`${fault}\n`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}

await main();
