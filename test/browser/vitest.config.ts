import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { LIMITS } from "../support/limits.js";
import { longestFirst } from "../support/longest-first.js";

/** `npm run test:browser`: the console in Chromium, on the demo's server. One page at a time, so that times mean something. */
export default defineConfig({
  root: fileURLToPath(new URL("../..", import.meta.url)),
  test: {
    name: "browser",
    include: ["test/browser/**/*.test.ts"],
    globalSetup: "test/browser/support/global-setup.ts",
    setupFiles: ["test/support/patience.ts"],
    expect: { poll: { timeout: LIMITS.condition } },
    testTimeout: LIMITS.test,
    hookTimeout: LIMITS.test,
    fileParallelism: false,
    // Pictures show the demo as it is when it has started: other tests add insights and exports, and erase postings.
    sequence: { sequencer: longestFirst(({ moduleId }) => moduleId.endsWith("/pictures.test.ts")) },
  },
});
