import type { IncomingMessage } from "node:http";

/** No address is longer; a forged header may be. */
const CHARACTERS_MAX = 64;

/**
 * Returns the address a request came from. Behind `trustedProxies` proxies it is what the outermost of them has seen;
 * what stands further left in X-Forwarded-For is the client's own claim.
 */
export function clientAddress(req: IncomingMessage, trustedProxies: number): string {
  const peer = req.socket.remoteAddress ?? "";
  if (trustedProxies === 0) return peer;
  const forwarded = [req.headers["x-forwarded-for"] ?? []].flat().join(",");
  const hops = forwarded.split(",").map((hop) => hop.trim());
  return (hops.at(-trustedProxies) || peer).slice(0, CHARACTERS_MAX);
}
