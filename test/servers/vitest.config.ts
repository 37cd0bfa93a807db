import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** What every project of this run is told. */
const common = {
  root,
  exclude: ["**/node_modules/**", "**/dist/**"],
  testTimeout: 90_000,
  hookTimeout: 120_000,
};

/** What needs real servers: `npm run test:servers`, or one part of it by `--project`. */
export default defineConfig({
  root,
  test: {
    globalSetup: "test/servers/global-setup.ts",
    maxWorkers: 2,
    projects: [
      { test: { ...common, name: "contract", include: ["test/servers/contract/**/*.test.ts"] } },
      {
        test: {
          ...common,
          name: "one-process",
          include: ["test/rest/**/*.test.ts"],
          env: { TEST_STORAGE: "servers" },
        },
      },
      {
        test: {
          ...common,
          name: "processes",
          include: ["test/rest/**/*.test.ts"],
          env: { TEST_STORAGE: "servers", TEST_TOPOLOGY: "processes" },
        },
      },
      { test: { ...common, name: "crash", include: ["test/servers/crash/**/*.test.ts"] } },
      { test: { ...common, name: "speech", include: ["test/servers/speech/**/*.test.ts"] } },
      { test: { ...common, name: "faults", include: ["test/servers/{control,faults}/**/*.test.ts"] } },
    ],
  },
});
