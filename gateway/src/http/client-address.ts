import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { canonicalAddress, trustProxies, type IsTrustedProxy, type TrustedProxies } from "@hourglass/runtime";
import parseForwarded from "forwarded-parse";

/** Returns the address of the client that sent a request; empty if its connection is already closed. */
export type ReadClientAddress = (req: IncomingMessage) => string;

const BRACKETED = /^\[([^\]]*)\](?::\d+)?$/;
const WITH_PORT = /^([^:]+):\d+$/;

/**
 * Creates the only function that identifies clients, for limits and logs. Proxies append the address of their caller to
 * `Forwarded` (RFC 7239) or `X-Forwarded-For`. Entries of trusted proxies are believed: the client is the first
 * machine, going back from this server, that is not a trusted proxy. Entries further left are the client's own claim.
 */
export function createClientAddress(proxies: TrustedProxies): ReadClientAddress {
  const isTrusted = trustProxies(proxies);
  const peers = new WeakMap<Socket, string>();
  const peerOf = (socket: Socket): string => {
    const known = peers.get(socket);
    if (known !== undefined) return known;
    const peer = canonicalAddress(socket.remoteAddress ?? "") ?? "";
    peers.set(socket, peer);
    return peer;
  };
  return (req) => {
    const peer = peerOf(req.socket);
    if (!isTrusted(peer, 0)) return peer;
    const clients = [forwarded(req), forwardedFor(req)]
      .filter((senders) => senders !== undefined)
      .map((senders) => lastUntrusted(peer, senders, isTrusted));
    // A proxy that writes one of the headers passes on the other as the client sent it. If they differ, neither is
    // known to be the proxy's, and the request counts as one of the proxy itself.
    const [client = peer] = clients;
    return clients.every((other) => other === client) ? client : peer;
  };
}

/** Goes from `peer` back through `senders`, nearest last. Nothing is known beyond a proxy that gives no address. */
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

/** A header that does not conform to the standard is not trusted. */
function forwarded({ headers }: IncomingMessage): string[] | undefined {
  if (headers.forwarded === undefined) return undefined;
  try {
    return parseForwarded(headers.forwarded).map((element) => element["for"] ?? "");
  } catch {
    return []; // the parse error is not reported: the header may be the client's
  }
}

/** The address in `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1`, `[2001:db8::1]` or `[2001:db8::1]:4711`. */
function addressIn(node: string): string | undefined {
  return canonicalAddress(BRACKETED.exec(node)?.[1] ?? WITH_PORT.exec(node)?.[1] ?? node);
}

/**
 * Scheme and host at which the client reached this server, such as `https://example.com`; empty if it did not name the
 * host. What a trusted proxy says of the scheme is believed.
 */
export function originOf({ req, clientAddress }: { req: IncomingMessage; clientAddress: string }): string {
  const { host } = req.headers;
  if (host === undefined || host === "") return "";
  // A client that is not the peer was named by a trusted proxy.
  const isProxied = clientAddress !== (canonicalAddress(req.socket.remoteAddress ?? "") ?? "");
  const scheme = isProxied ? [req.headers["x-forwarded-proto"]].flat()[0]?.split(",")[0]?.trim() : undefined;
  return `${scheme === "https" ? "https" : "http"}://${host}`;
}
