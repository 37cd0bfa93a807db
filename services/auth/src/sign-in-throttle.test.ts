import { describe, expect, it } from "vitest";
import { SignInThrottle } from "./sign-in-throttle.js";

/** Whether the second address is limited by an attempt from the first. */
function countAsOne(first: string, second: string): boolean {
  const throttle = new SignInThrottle(1);
  throttle.admit("a@example.com", first);
  try {
    throttle.admit("b@example.com", second);
    return false;
  } catch {
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

  it("does not let an address over its limit use up the attempts of an e-mail", () => {
    const throttle = new SignInThrottle(2);
    const attempt = (email: string, address: string) => () => throttle.admit(email, address);
    for (let i = 0; i < 10; i += 1) {
      try {
        throttle.admit(i < 2 ? `${i}@example.com` : "victim@example.com", "192.0.2.1");
      } catch {
        // over the limit, as intended
      }
    }
    expect(attempt("victim@example.com", "192.0.2.9")).not.toThrow();
  });
});
