import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** Bits of an IPv6 address that name a network; one household or server has all of its addresses to choose from. */
const NETWORK_GROUPS = 4;

/**
 * An IP address in the one form it is compared, limited and logged in: without a zone, and IPv4 mapped into IPv6 as
 * IPv4. Undefined when the text is no IP address.
 */
export function canonicalAddress(text: string): string | undefined {
  return parsed(text)?.toString();
}

/** What limits count as one client: an IPv4 address, the /64 of an IPv6 address; another text stands for itself. */
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
  // The package also reads old spellings, such as 127.1 and 0x7f.0.0.1, which a proxy never writes.
  return isIP(bare) === 0 ? undefined : ipaddr.process(bare);
}
