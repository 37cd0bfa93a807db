import { defineConfig } from "vitest/config";
import { LIMITS } from "./test/support/limits.js";
import { longestFirst } from "./test/support/longest-first.js";

/** Start whole servers as processes and kill them. They mostly wait, so they begin first and all others run beside them. */
const PROCESSES = ["test/processes/**/*.test.ts", "test/contract/embedded-crash.test.ts"];

/** Settings of both projects. */
const common = {
  // What needs real servers has its own settings: test/servers/vitest.config.ts.
  exclude: ["**/node_modules/**", "**/dist/**", "test/servers/**"],
  setupFiles: ["test/support/patience.ts"],
  expect: { poll: { timeout: LIMITS.condition } },
};

export default defineConfig({
  test: {
    // One more than the machines that run this have cores: at most times one file waits for servers or leases.
    maxWorkers: 3,
    sequence: { sequencer: longestFirst(({ project }) => project.name === "processes") },
    projects: [
      {
        test: {
          ...common,
          name: "parts",
          include: ["{gateway,services/*}/src/**/*.test.ts", "test/**/*.test.ts"],
          exclude: [...common.exclude, ...PROCESSES],
          testTimeout: LIMITS.test,
          hookTimeout: LIMITS.test,
        },
      },
      {
        test: {
          ...common,
          name: "processes",
          include: PROCESSES,
          testTimeout: LIMITS.processes,
          hookTimeout: LIMITS.processes,
        },
      },
    ],
  },
});
