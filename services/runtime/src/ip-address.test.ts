import { describe, expect, it } from "vitest";
import { canonicalAddress, clientNetwork, isLoopback, readTrustedProxies, trustProxies } from "./ip-address.js";

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

function trusts(text: string, address: string, hop = 0): boolean {
  const proxies = readTrustedProxies(text);
  if (proxies === undefined) throw new Error(`${text} is refused`);
  return trustProxies(proxies)(address, hop);
}

it("trusts so many hops, whatever their addresses", () => {
  expect(trusts("0", "10.0.0.1")).toBe(false);
  expect([trusts("2", "10.0.0.1", 0), trusts("2", "198.51.100.1", 1), trusts("2", "10.0.0.1", 2)]).toEqual([
    true,
    true,
    false,
  ]);
});

it.each([
  ["10.0.0.0/8", "10.255.0.1"],
  ["192.0.2.7", "192.0.2.7"],
  ["192.0.2.7, 10.0.0.0/8", "10.1.2.3"],
  ["10.0.0.0/8", "::ffff:10.0.0.1"],
  ["2001:db8::/32", "2001:db8:1::1"],
  ["fe80::/10", "fe80::1%eth0"],
])("trusts by %s the proxy at %s, at every hop", (networks, address) => {
  expect([trusts(networks, address, 0), trusts(networks, address, 7)]).toEqual([true, true]);
});

it.each([
  ["10.0.0.0/8", "11.0.0.1"],
  ["192.0.2.7", "192.0.2.8"],
  ["10.0.0.0/8", "a00::1"],
  ["2001:db8::/32", "10.0.0.1"],
  ["10.0.0.0/8", ""],
])("trusts by %s nobody at %j", (networks, address) => {
  expect(trusts(networks, address)).toBe(false);
});

it.each([
  ...["", "proxy.example", "101", "-1", "1.5", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/8/8", "2001:db8::/129"],
  ...["0.0.0.0/0", "::/0", "10.0.0.1,", "10.1/16", "fe80::1%eth0", "1,10.0.0.1"],
])("refuses %j", (text) => {
  expect(readTrustedProxies(text)).toBeUndefined();
});
