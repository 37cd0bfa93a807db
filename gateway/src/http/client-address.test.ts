import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { readConfig } from "@hourglass/runtime";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { gatewaySettings } from "../config.js";
import { createClientAddress } from "./client-address.js";

const PROXY = "10.0.0.1";

interface Sent {
  peer?: string | undefined;
  forwarded?: string;
  forwardedFor?: string;
}

/** The client address of a request if TRUSTED_PROXIES is `proxies`. */
function client(proxies: string, { peer = PROXY, forwarded, forwardedFor }: Sent): string {
  const socket = new Socket();
  Object.defineProperty(socket, "remoteAddress", { value: peer });
  const req = new IncomingMessage(socket);
  if (forwarded !== undefined) req.headers.forwarded = forwarded;
  if (forwardedFor !== undefined) req.headers["x-forwarded-for"] = forwardedFor;
  return createClientAddress(
    readConfig({ TRUSTED_PROXIES: proxies }, { gateway: gatewaySettings }).gateway.trustedProxies,
  )(req);
}

describe("the address of a client", () => {
  it("is that of the connection, in its usual form, where no proxy is trusted", () => {
    expect(client("", { forwardedFor: "1.2.3.4", forwarded: "for=1.2.3.4" })).toBe(PROXY);
    expect(client("", { peer: "::ffff:192.0.2.1" })).toBe("192.0.2.1");
    expect(client("", { peer: "" })).toBe("");
  });

  it.each(["10.0.0.0/8", "192.0.2.7"])("is that of the connection when it comes from no proxy of %s", (proxies) => {
    expect(client(proxies, { peer: "192.0.2.9", forwardedFor: "1.2.3.4" })).toBe("192.0.2.9");
    expect(client(proxies, { peer: "192.0.2.9", forwarded: "for=1.2.3.4" })).toBe("192.0.2.9");
  });

  it.each([
    ["1", "6.6.6.6, 1.2.3.4", "1.2.3.4"],
    ["2", "6.6.6.6, 1.2.3.4, 10.0.0.9", "1.2.3.4"],
    ["2", "1.2.3.4", "1.2.3.4"],
    ["10.0.0.0/8", "6.6.6.6, 1.2.3.4, 10.0.0.9", "1.2.3.4"],
    ["10.0.0.0/8", "10.0.0.3, 10.0.0.2", "10.0.0.3"],
    ["10.0.0.1, 2001:db8::/32", "6.6.6.6, 2001:db8:f::1, 2001:db8::1", "6.6.6.6"],
    ["1", "::ffff:1.2.3.4", "1.2.3.4"],
    ["1", "1.2.3.4:4711", "1.2.3.4"],
    ["1", "[2001:DB8::1]:4711", "2001:db8::1"],
    ["1", "2001:DB8::1", "2001:db8::1"],
  ])("behind TRUSTED_PROXIES=%s and X-Forwarded-For: %s is %s", (proxies, forwardedFor, address) => {
    expect(client(proxies, { forwardedFor })).toBe(address);
  });

  it.each([
    ["1", "for=6.6.6.6, for=1.2.3.4", "1.2.3.4"],
    ["2", 'for=6.6.6.6, For="1.2.3.4:4711";proto=https;by=10.0.0.9, for=10.0.0.9', "1.2.3.4"],
    ["1", 'for="[2001:db8::1]:4711"', "2001:db8::1"],
    ["10.0.0.0/8", 'for=6.6.6.6, for="[2001:db8::1]", for=10.0.0.9', "2001:db8::1"],
  ])("behind TRUSTED_PROXIES=%s and Forwarded: %s is %s", (proxies, forwarded, address) => {
    expect(client(proxies, { forwarded })).toBe(address);
  });

  it.each([
    ["1", "1.2.3.4, unknown", PROXY],
    ["1", "", PROXY],
    ["1", "1.2.3.4,", PROXY],
    ["2", "1.2.3.4, x, 10.0.0.9", "10.0.0.9"],
    ["10.0.0.0/8", "1.2.3.4, proxy.example, 10.0.0.9", "10.0.0.9"],
    ["1", "x".repeat(5000), PROXY],
  ])("is the last one known where TRUSTED_PROXIES=%s meets X-Forwarded-For: %s", (proxies, forwardedFor, address) => {
    expect(client(proxies, { forwardedFor })).toBe(address);
  });

  it.each([
    ["1", "for=1.2.3.4, for=unknown", PROXY],
    ["1", "for=_hidden", PROXY],
    ["1", "by=1.2.3.4", PROXY],
    ["1", "for=1.2.3.4, for=", PROXY],
    ["2", "for=1.2.3.4, for=_hidden, for=10.0.0.9", "10.0.0.9"],
  ])("is the last one known where TRUSTED_PROXIES=%s meets Forwarded: %s", (proxies, forwarded, address) => {
    expect(client(proxies, { forwarded })).toBe(address);
  });

  it("is that of the proxy when its two headers do not agree: one of them is the client's own", () => {
    expect(client("1", { forwarded: "for=1.2.3.4", forwardedFor: "1.2.3.4" })).toBe("1.2.3.4");
    expect(client("1", { forwarded: "for=6.6.6.6", forwardedFor: "1.2.3.4" })).toBe(PROXY);
    expect(client("1", { forwarded: "=;=", forwardedFor: "1.2.3.4" })).toBe(PROXY);
  });

  it("never fails, and is never what an untrusted machine claims, whatever the headers hold", () => {
    const address = fc.oneof(fc.ipV4(), fc.ipV6());
    const header = fc.oneof(
      fc.string(),
      fc.array(address).map((list) => list.join(", ")),
      address.map((ip) => `for=${ip}`),
    );
    fc.assert(
      fc.property(header, header, (forwarded, forwardedFor) => {
        expect(client("192.0.2.7", { forwarded, forwardedFor })).toBe(PROXY);
        const behind = client("10.0.0.1", { forwardedFor: `${forwardedFor}, 1.2.3.4` });
        expect(behind).toBe("1.2.3.4");
        expect(client("10.0.0.1", { forwarded, forwardedFor }).length).toBeLessThanOrEqual(45);
      }),
    );
  });
});
