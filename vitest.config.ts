import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{gateway,services/*}/src/**/*.test.ts", "test/**/*.test.ts"],
    exclude: ["**/node_modules/**", "**/dist/**"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Two: the machines that run this have as many cores, and several files start whole servers.
    maxWorkers: 2,
  },
});
