import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** 16-bit groups of an IPv6 network prefix; a household or server can use any address in its network. */
const NETWORK_GROUPS = 4;

/**
 * The canonical form of an IP address, for comparison, rate limits and logs: without a zone, and with IPv4-mapped IPv6
 * as IPv4. Undefined if the text is not an IP address.
 */
export function canonicalAddress(text: string): string | undefined {
  return parsed(text)?.toString();
}

/** One client for rate limits: an IPv4 address, or the /64 of an IPv6 address; other texts are returned unchanged. */
export function clientNetwork(address: string): string {
  const ip = parsed(address);
  if (ip === undefined) return address;
  if (!(ip instanceof ipaddr.IPv6)) return ip.toString();
  const groups = ip.parts.slice(0, NETWORK_GROUPS).map((group) => group.toString(16));
  return `${groups.join(":")}::/64`;
}

/** Whether only programs of this machine can reach a server that listens at `host`. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || parsed(host)?.range() === "loopback";
}

function parsed(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const bare = text.replace(/%.*$/s, "");
  // The package also parses old spellings, such as 127.1 and 0x7f.0.0.1, which no proxy writes.
  return isIP(bare) === 0 ? undefined : ipaddr.process(bare);
}
