import { defineConfig } from "vitest/config";
import { longestFirst } from "./test/support/longest-first.js";

export default defineConfig({
  test: {
    include: ["{gateway,services/*}/src/**/*.test.ts", "test/**/*.test.ts"],
    // What needs real servers has settings of its own: test/servers/vitest.config.ts.
    exclude: ["**/node_modules/**", "**/dist/**", "test/servers/**"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Two: the machines that run this have as many cores, and several files start whole servers.
    maxWorkers: 2,
    // They start the product several times, each in some lines.
    sequence: { sequencer: longestFirst(({ moduleId }) => moduleId.includes("/test/processes/")) },
  },
});
