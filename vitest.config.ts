import process from "node:process";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{gateway,services/*}/src/**/*.test.ts", "test/**/*.test.ts"],
    exclude: ["**/node_modules/**", "**/dist/**"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Machines that run CI stand still for a second now and then, which ends leases; what fails three times is broken.
    retry: process.env["CI"] === undefined ? 0 : 2,
    // Two: the machines that run this have as many cores, and several files start whole servers.
    maxWorkers: 2,
  },
});
