import { describe, expect, it } from "vitest";
import { isPublicAddress } from "./public-address.js";

describe("a public address", () => {
  it.each([
    ["0.0.0.0", "0.255.255.255"],
    ["10.0.0.0", "10.255.255.255"],
    ["100.64.0.0", "100.127.255.255"],
    ["127.0.0.0", "127.255.255.255"],
    ["169.254.0.0", "169.254.255.255"],
    ["172.16.0.0", "172.31.255.255"],
    ["192.0.0.0", "192.0.0.255"],
    ["192.0.2.0", "192.0.2.255"],
    ["192.88.99.0", "192.88.99.255"],
    ["192.168.0.0", "192.168.255.255"],
    ["198.18.0.0", "198.19.255.255"],
    ["198.51.100.0", "198.51.100.255"],
    ["203.0.113.0", "203.0.113.255"],
    ["224.0.0.0", "239.255.255.255"],
    ["240.0.0.0", "255.255.255.255"],
    ["168.63.129.16", "168.63.129.16"],
    ["::", "::1"],
    ["::7f00:1", "::a9fe:a9fe"],
    ["::ffff:0:0", "::ffff:ffff:ffff"],
    ["::ffff:8.8.8.8", "::ffff:127.0.0.1"],
    ["64:ff9b::7f00:1", "64:ff9b::10.0.0.1"],
    ["64:ff9b::a9fe:a9fe", "64:ff9b::ffff:ffff"],
    ["64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff"],
    ["100::", "100::ffff:ffff:ffff:ffff"],
    ["1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "4000::"],
    ["2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["5f00::", "5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["fd00:ec2::254", "fd20:ce::254"],
    ["fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["fec0::", "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ])("is not in a special range: %s to %s", (first, last) => {
    expect([isPublicAddress(first), isPublicAddress(last)]).toEqual([false, false]);
  });

  it.each([
    ["1.0.0.0", "9.255.255.255"],
    ["11.0.0.0", "100.63.255.255"],
    ["100.128.0.0", "126.255.255.255"],
    ["128.0.0.0", "169.253.255.255"],
    ["169.255.0.0", "172.15.255.255"],
    ["172.32.0.0", "191.255.255.255"],
    ["192.0.1.0", "192.167.255.255"],
    ["192.169.0.0", "198.17.255.255"],
    ["198.20.0.0", "223.255.255.255"],
    ["2000::", "2001:200::"],
    ["2001:db7:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db9::"],
    ["2003::", "3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["3fff:1000::", "3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
    ["64:ff9b::8.8.8.8", "2606:4700:4700::1111"],
  ])("is beside the special ranges: %s and %s", (first, last) => {
    expect([isPublicAddress(first), isPublicAddress(last)]).toEqual([true, true]);
  });

  it("is an address and nothing else", () => {
    const others = [
      "",
      "localhost",
      "8.8.8",
      "8.8.8.8.",
      "08.8.8.8",
      "[2606:4700::1]",
      "2606:4700::1%eth0",
      "fe80::1%lo",
    ];
    expect(others.filter((text) => isPublicAddress(text))).toEqual([]);
  });
});
