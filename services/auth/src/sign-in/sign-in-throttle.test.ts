import { describe, expect, it } from "vitest";
import { SignInThrottle } from "./sign-in-throttle.js";

const OWNER = "owner@example.com";

/** Whether the second address is limited by an attempt from the first. */
function countAsOne(first: string, second: string): boolean {
  const throttle = new SignInThrottle(1);
  throttle.admit("a@example.com", first);
  return isRefused(() => throttle.admit("b@example.com", second));
}

function isRefused(admit: () => number): boolean {
  try {
    admit();
    return false;
  } catch (error) {
    expect(error).toMatchObject({ kind: "too-many", code: "too_many_sign_in_attempts" });
    return true;
  }
}

describe("SignInThrottle", () => {
  it.each([
    ["192.0.2.1", "192.0.2.1"],
    ["192.0.2.1", "::ffff:192.0.2.1"],
    ["2001:db8::1", "2001:db8::2"],
    ["2001:db8:0:0:1::", "2001:0db8::ffff:1"],
    ["::1", "0:0:0:0:0:0:0:1"],
    ["fe80::1%eth0", "fe80::1"],
  ])("counts %s and %s as one client", (first, second) => {
    expect(countAsOne(first, second)).toBe(true);
  });

  it.each([
    ["192.0.2.1", "192.0.2.2"],
    ["2001:db8::1", "2001:db8:0:1::1"],
    ["", ""],
  ])("tells %j from %j", (first, second) => {
    expect(countAsOne(first, second)).toBe(false);
  });

  it("limits an e-mail where the address is not known", () => {
    const throttle = new SignInThrottle(2);
    const refused = Array.from({ length: 3 }, () => isRefused(() => throttle.admit(OWNER, "")));
    expect(refused).toEqual([false, false, true]);
  });

  it("limits one address with one e-mail over the ends of the address's own minutes", () => {
    const clock = { now: 1_000_000 };
    const throttle = new SignInThrottle(3, () => clock.now);
    const admit = (email: string) => isRefused(() => throttle.admit(email, "192.0.2.1"));
    admit("other@example.com");
    clock.now += 59_000;
    admit(OWNER);
    clock.now += 2000; // the address may try again, its pair with the e-mail may not
    expect([admit(OWNER), admit(OWNER), admit(OWNER)]).toEqual([false, false, true]);
  });

  it("refuses a stranger at one address after the limit, who costs the owner elsewhere one short delay", () => {
    const throttle = new SignInThrottle(10);
    const refused = Array.from({ length: 1000 }, () => isRefused(() => throttle.admit(OWNER, "192.0.2.1")));
    expect(refused.filter(Boolean)).toHaveLength(990);
    expect(throttle.admit(OWNER, "198.51.100.1")).toBe(250);
    expect(throttle.admit("other@example.com", "198.51.100.2")).toBe(0);
  });

  it("delays an e-mail that strangers at many addresses try, more and more up to a bound, and refuses nobody", () => {
    const clock = { now: 1_000_000 };
    const throttle = new SignInThrottle(3, () => clock.now);
    const delays = Array.from({ length: 1000 }, (_, i) => throttle.admit(OWNER, `10.0.${i >> 8}.${i & 255}`));
    expect(delays.slice(0, 9)).toEqual([0, 0, 0, 250, 500, 1000, 2000, 4000, 4000]);
    expect(Math.max(...delays)).toBe(4000);
    clock.now += 60_000;
    expect(throttle.admit(OWNER, "198.51.100.1")).toBe(0);
  });

  it("delays nobody because of right passwords", () => {
    const throttle = new SignInThrottle(3);
    const delays = Array.from({ length: 20 }, (_, i) => {
      const delay = throttle.admit(OWNER, `192.0.2.${i}`);
      throttle.succeeded(OWNER);
      return delay;
    });
    expect(new Set(delays)).toEqual(new Set([0]));
  });

  it("has no limit and no delay at 0", () => {
    const throttle = new SignInThrottle(0);
    const delays = Array.from({ length: 100 }, () => throttle.admit(OWNER, "192.0.2.1"));
    expect(new Set(delays)).toEqual(new Set([0]));
  });
});
