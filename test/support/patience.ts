import { vi } from "vitest";
import { LIMITS } from "./limits.js";

const { waitFor } = vi;

/**
 * `vi.waitFor`, which gives up after a second by default and has no setting for that, waits as long as `expect.poll` does:
 * a machine with other work is slow, not wrong. A longer limit of a test's own stays as it is.
 */
vi.waitFor = (callback, options = {}) => {
  const own = typeof options === "number" ? { timeout: options } : options;
  return waitFor(callback, { ...own, timeout: Math.max(own.timeout ?? 0, LIMITS.condition) });
};
