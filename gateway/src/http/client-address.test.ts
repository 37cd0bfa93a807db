import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { expect, it } from "vitest";
import { clientAddress } from "./client-address.js";

function request(forwarded?: string): IncomingMessage {
  const socket = new Socket();
  Object.defineProperty(socket, "remoteAddress", { value: "10.0.0.1" });
  const req = new IncomingMessage(socket);
  if (forwarded !== undefined) req.headers["x-forwarded-for"] = forwarded;
  return req;
}

it("believes no header when there is no proxy", () => {
  expect(clientAddress(request("1.2.3.4"), 0)).toBe("10.0.0.1");
});

it("believes only what trusted proxies added", () => {
  expect(clientAddress(request("6.6.6.6, 1.2.3.4"), 1)).toBe("1.2.3.4");
  expect(clientAddress(request("6.6.6.6, 1.2.3.4, 10.0.0.9"), 2)).toBe("1.2.3.4");
  expect(clientAddress(request(), 1)).toBe("10.0.0.1");
});

it("keeps an address short, whatever a header holds", () => {
  expect(clientAddress(request("x".repeat(500)), 1)).toHaveLength(64);
});
