import { vi } from "vitest";
import { LIMITS } from "./limits.js";

/** What vitest has, kept where each file that shares this process finds it: this file is run for each of them. */
const ORIGINAL = Symbol.for("hourglass.waitFor");
const shared = globalThis as unknown as Record<symbol, typeof vi.waitFor | undefined>;
const waitFor = (shared[ORIGINAL] ??= vi.waitFor);

/**
 * Makes `vi.waitFor`, whose default of one second cannot be configured, wait as long as `expect.poll`: a busy machine
 * is slow, not wrong. A test's own longer limit is kept.
 */
vi.waitFor = (callback, options = {}) => {
  const own = typeof options === "number" ? { timeout: options } : options;
  return waitFor(callback, { ...own, timeout: Math.max(own.timeout ?? 0, LIMITS.condition) });
};
