import { afterEach, describe, expect, it, vi } from "vitest";
import { heardAt, serverNow } from "./clock.js";

const NOON = Date.parse("2026-11-27T12:00:00Z");
const HOUR_MS = 3_600_000;

describe("the clock", () => {
  afterEach(() => {
    vi.useRealTimers();
    heardAt(new Date().toUTCString());
  });

  it.each([-HOUR_MS, HOUR_MS])("is the server's where this computer's is %d ms off", (off) => {
    vi.useFakeTimers({ now: NOON + off });
    heardAt(new Date(NOON).toUTCString());
    expect(Math.abs(serverNow() - NOON)).toBeLessThanOrEqual(1000);
  });

  it("is this computer's where both agree, and where no answer says a time", () => {
    vi.useFakeTimers({ now: NOON + 900 });
    heardAt(new Date(NOON).toUTCString());
    heardAt(null);
    heardAt("soon");
    expect(serverNow()).toBe(NOON + 900);
  });
});
