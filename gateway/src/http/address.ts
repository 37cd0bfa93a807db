import { canonicalAddress } from "@hourglass/runtime";
import type { Exchange } from "./exchange.js";

/**
 * Scheme and host at which the client reached this server, such as `https://example.com`; empty if it did not name the
 * host. What a trusted proxy says of the scheme is believed.
 */
export function originOf({ req, clientAddress }: Exchange): string {
  const { host } = req.headers;
  if (host === undefined || host === "") return "";
  // A client that is not the peer was named by a trusted proxy.
  const isProxied = clientAddress !== (canonicalAddress(req.socket.remoteAddress ?? "") ?? "");
  const scheme = isProxied ? [req.headers["x-forwarded-proto"]].flat()[0]?.split(",")[0]?.trim() : undefined;
  return `${scheme === "https" ? "https" : "http"}://${host}`;
}
