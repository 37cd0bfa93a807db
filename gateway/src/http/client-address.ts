import type { IncomingMessage } from "node:http";
import { canonicalAddress, trustProxies, type IsTrustedProxy, type TrustedProxies } from "@hourglass/runtime";
import parseForwarded from "forwarded-parse";

/** Returns the address of the client that sent a request; empty when its connection is gone already. */
export type ReadClientAddress = (req: IncomingMessage) => string;

const BRACKETED = /^\[([^\]]*)\](?::\d+)?$/;
const WITH_PORT = /^([^:]+):\d+$/;

/**
 * Makes the one way in which clients are told apart, in limits and in logs. Proxies add, at the right end of `Forwarded`
 * (RFC 7239) or `X-Forwarded-For`, the address that they were called from. What trusted proxies have added is believed:
 * from this server back to the first machine that is no trusted proxy, which is the client. What stands further left is
 * the client's own claim.
 */
export function createClientAddress(proxies: TrustedProxies): ReadClientAddress {
  const isTrusted = trustProxies(proxies);
  return (req) => {
    const peer = canonicalAddress(req.socket.remoteAddress ?? "") ?? "";
    if (!isTrusted(peer, 0)) return peer;
    const clients = [forwarded(req), forwardedFor(req)]
      .filter((senders) => senders !== undefined)
      .map((senders) => lastUntrusted(peer, senders, isTrusted));
    // A proxy that writes one of the headers lets a client's other one through: where they differ, neither is known to
    // be the proxy's, and the requests count as those of the proxy itself.
    const [client = peer] = clients;
    return clients.every((other) => other === client) ? client : peer;
  };
}

/** Walks from `peer` over `senders`, the nearest last. Past a proxy that names no address nothing is known. */
function lastUntrusted(peer: string, senders: readonly string[], isTrusted: IsTrustedProxy): string {
  let client = peer;
  for (let hop = 1; hop <= senders.length; hop += 1) {
    const sender = addressIn(senders.at(-hop) ?? "");
    if (sender === undefined) return client;
    client = sender;
    if (!isTrusted(client, hop)) return client;
  }
  return client;
}

function forwardedFor(req: IncomingMessage): string[] | undefined {
  const header = [req.headers["x-forwarded-for"] ?? []].flat().join(",");
  return header === "" ? undefined : header.split(",").map((sender) => sender.trim());
}

/** A header that is not of the standard's form is the word of nobody. */
function forwarded({ headers }: IncomingMessage): string[] | undefined {
  if (headers.forwarded === undefined) return undefined;
  try {
    return parseForwarded(headers.forwarded).map((element) => element["for"] ?? "");
  } catch {
    return []; // what is wrong with it helps nobody: it may be the client's
  }
}

/** The address in `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1`, `[2001:db8::1]` or `[2001:db8::1]:4711`. */
function addressIn(node: string): string | undefined {
  return canonicalAddress(BRACKETED.exec(node)?.[1] ?? WITH_PORT.exec(node)?.[1] ?? node);
}
