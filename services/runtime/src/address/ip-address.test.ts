import { describe, expect, it } from "vitest";
import { canonicalAddress, clientNetwork, isLoopback } from "./ip-address.js";

describe("canonicalAddress", () => {
  it.each([
    ["192.0.2.1", "192.0.2.1"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["::FFFF:c000:201", "192.0.2.1"],
    ["2001:0DB8:0:0::1", "2001:db8::1"],
    ["fe80::1%eth0", "fe80::1"],
    ["0:0:0:0:0:0:0:1", "::1"],
  ])("writes %s as %s", (address, canonical) => {
    expect(canonicalAddress(address)).toBe(canonical);
  });

  it.each([
    "",
    "unknown",
    "_hidden",
    "127.1",
    "0x7f.0.0.1",
    "010.0.0.1",
    "256.0.0.1",
    "1.2.3.4:80",
    "[::1]",
    "1.2.3.4/8",
  ])("takes %j for no address", (text) => {
    expect(canonicalAddress(text)).toBeUndefined();
  });
});

describe("clientNetwork", () => {
  it.each([
    ["192.0.2.1", "::ffff:192.0.2.1"],
    ["2001:db8::1", "2001:db8::2"],
    ["2001:db8:0:0:1::", "2001:0db8::ffff:1"],
    ["::1", "0:0:0:0:0:0:0:1"],
    ["fe80::1%eth0", "fe80::1"],
  ])("takes %s and %s for one client", (first, second) => {
    expect(clientNetwork(first)).toBe(clientNetwork(second));
  });

  it.each([
    ["192.0.2.1", "192.0.2.2"],
    ["2001:db8::1", "2001:db8:0:1::1"],
    ["unknown", "192.0.2.1"],
  ])("tells %s from %s", (first, second) => {
    expect(clientNetwork(first)).not.toBe(clientNetwork(second));
  });
});

describe("isLoopback", () => {
  it.each(["127.0.0.1", "127.8.9.1", "::1", "::ffff:127.0.0.1", "localhost"])("holds for %s", (host) => {
    expect(isLoopback(host)).toBe(true);
  });

  it.each(["0.0.0.0", "::", "10.0.0.1", "2001:db8::1", "hourglass.example"])("does not hold for %s", (host) => {
    expect(isLoopback(host)).toBe(false);
  });
});
