import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { LIMITS } from "../support/limits.js";
import { longestFirst } from "../support/longest-first.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Settings of every project of this run. */
const common = {
  root,
  exclude: ["**/node_modules/**", "**/dist/**"],
  setupFiles: ["test/support/patience.ts", "test/support/property-runs.ts"],
  expect: { poll: { timeout: LIMITS.condition } },
  testTimeout: LIMITS.test,
  hookTimeout: LIMITS.test,
};

/** What the gateway or the rules of the contract answer, or the analyses do: the store and the queue make no difference. */
const STATELESS = [
  "documented-examples",
  "error-sentences",
  "rest-error-sentences",
  "explain",
  "hostile-bodies",
  "http-rules",
  "insight-and-export-requests",
  "monitoring",
  "path-ids",
  "raw-requests",
  "readme",
  "sign-in",
  // Forms that are refused, whatever keeps the files: files.test.ts and file-records.test.ts keep some.
  "upload",
].map((name) => `test/rest/${name}.test.ts`);

/** Where `.ci/servers` could install it, the queue is also tested on RabbitMQ 4. */
function onRabbitMq4() {
  if (process.env["RABBITMQ4_SCRIPTS"] === undefined) {
    process.stderr.write(
      "SKIPPED THE QUEUE IS NOT TESTED ON RABBITMQ 4: RABBITMQ4_SCRIPTS is not set (see .ci/rabbitmq-4)\n",
    );
    return [];
  }
  const test = {
    ...common,
    name: "rabbitmq-4",
    include: ["test/servers/contract/{queue,compose-broker,rabbitmq-*}.test.ts"],
    globalSetup: "test/servers/rabbitmq-4/global-setup.ts",
    setupFiles: [...common.setupFiles, "test/servers/rabbitmq-4/setup.ts"],
  };
  return [{ test }];
}

/** What needs real servers: `npm run test:servers`, or one part of it by `--project`. */
export default defineConfig({
  root,
  test: {
    globalSetup: "test/servers/global-setup.ts",
    // Each file starts servers and up to ten processes: with a third one, leases end because nobody gets to renew them.
    maxWorkers: 2,
    // Minutes each, most of it waiting for leases and servers.
    sequence: { sequencer: longestFirst(({ project }) => ["crash", "faults"].includes(project.name)) },
    projects: [
      { test: { ...common, name: "contract", include: ["test/servers/contract/**/*.test.ts"] } },
      ...onRabbitMq4(),
      {
        test: {
          ...common,
          name: "one-process",
          // The calls between the parts and the adapters are those of the other projects; here they meet in one process.
          include: ["test/rest/end-to-end.test.ts"],
          env: { TEST_STORAGE: "servers" },
        },
      },
      {
        test: {
          ...common,
          name: "processes",
          include: ["test/rest/**/*.test.ts"],
          exclude: [...common.exclude, ...STATELESS],
          env: { TEST_STORAGE: "servers", TEST_TOPOLOGY: "processes" },
        },
      },
      {
        test: {
          ...common,
          name: "insights",
          include: [
            "services/insight/src/{change-insight,list-insights}.test.ts",
            "services/insight/src/postings/{store,list,stream,erase,reanalysis}.test.ts",
            "services/insight/src/collector/interruption.test.ts",
            "services/insight/src/{summary/{dirty-buckets,summarize,summary-property},segments/search}.test.ts",
          ],
          env: { TEST_STORAGE: "servers" },
        },
      },
      { test: { ...common, name: "crash", include: ["test/servers/crash/**/*.test.ts"] } },
      { test: { ...common, name: "speech", include: ["test/servers/speech/**/*.test.ts"] } },
      { test: { ...common, name: "faults", include: ["test/servers/{control,faults}/**/*.test.ts"] } },
    ],
  },
});
