import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { LIMITS } from "./test/support/limits.js";

/** One more than the machines that run this have cores: at most times one file waits. */
const WORKERS = 3;

/** Starts processes and kills them, for twenty seconds at most: the promise of the product, in every run of the tests. */
const SHORT_CRASH_LOOP = "test/processes/short-crash-loop.test.ts";

/** A project of test files by their patterns. */
function project(
  name: string,
  include: string[],
  limit: number,
  exclude: string[] = [],
): TestProjectInlineConfiguration {
  return {
    test: {
      name,
      include,
      exclude: ["**/node_modules/**", "**/dist/**", ...exclude],
      setupFiles: ["test/support/patience.ts", "test/support/property-runs.ts"],
      expect: { poll: { timeout: LIMITS.condition } },
      testTimeout: limit,
      hookTimeout: limit,
      // What is compiled is loaded as it is, once by each worker.
      server: { deps: { external: [/\/(proto|gateway|services\/[^/]+)\/dist\//] } },
    },
  };
}

/**
 * `npm test` runs `parts`; `.ci/run` also `processes`; `.ci/nightly` all. What needs real servers has settings of its own:
 * test/servers/vitest.config.ts.
 */
export default defineConfig({
  test: {
    maxWorkers: WORKERS,
    // Fewer would be ended while idle, and vitest's pool fails if that happens at the end.
    minWorkers: WORKERS,
    // Files share a process, and so what they import: none leaves anything behind, such as fake timers or a variable.
    isolate: false,
    poolOptions: { forks: { isolate: false } },
    projects: [
      project(
        "parts",
        [
          "{gateway,gateway/console,services/*}/src/**/*.test.{ts,tsx}",
          "test/{contract,docs,grpc,outbound,rest,structure,support}/**/*.test.ts",
          SHORT_CRASH_LOOP,
        ],
        LIMITS.test,
      ),
      // The product as its operators start it: processes, commands, backups.
      project("processes", ["test/processes/*.test.ts"], LIMITS.processes, [SHORT_CRASH_LOOP]),
      // The site of the documentation, which `npm run docs` has built.
      project("site", ["test/site/*.test.ts"], LIMITS.test),
      // Processes that are killed at every step, which takes minutes, most of them spent waiting for leases.
      project("crash", ["test/processes/crash/**/*.test.ts"], LIMITS.processes),
    ],
  },
});
