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

/** Which hops of a request are trusted proxies. */
export type TrustedProxies =
  /** This many hops, counted from this server. */
  | { readonly hops: number }
  /** Hops with an address in one of these networks, for example `10.0.0.0/8`. */
  | { readonly networks: readonly string[] };

/** Whether the hop at `address` is trusted; `hop` 0 is the direct peer, 1 the one before it. */
export type IsTrustedProxy = (address: string, hop: number) => boolean;

export const NO_PROXIES: TrustedProxies = { hops: 0 };
export const TRUSTED_PROXIES_FORM =
  "a number of proxies from 0 to 100, or addresses and networks such as 192.0.2.7,10.0.0.0/8,2001:db8::/32";

const HOPS_MAX = 100;

/** Parses the operator's setting; undefined if it does not have TRUSTED_PROXIES_FORM. */
export function readTrustedProxies(text: string): TrustedProxies | undefined {
  if (/^\d{1,3}$/.test(text)) return Number(text) <= HOPS_MAX ? { hops: Number(text) } : undefined;
  const networks = text.split(",").map((entry) => readNetwork(entry.trim()));
  return networks.every((network) => network !== undefined) ? { networks } : undefined;
}

/** Creates the test for trusted proxies. */
export function trustProxies(proxies: TrustedProxies): IsTrustedProxy {
  if ("hops" in proxies) return (_, hop) => hop < proxies.hops;
  const networks = proxies.networks.map((network) => ipaddr.parseCIDR(network));
  return (address) => {
    const canonical = canonicalAddress(address);
    if (canonical === undefined) return false;
    const ip = ipaddr.parse(canonical);
    return networks.some(([network, bits]) => ip.kind() === network.kind() && ip.match(network, bits));
  };
}

/** A network of one or more addresses. A network of all addresses is refused: it would make every client a proxy. */
function readNetwork(text: string): string | undefined {
  const [address = "", bits, ...more] = text.split("/");
  const version = isIP(address);
  if (version === 0 || address.includes("%") || more.length > 0) return undefined;
  const bitsMax = version === 4 ? 32 : 128;
  if (bits === undefined) return `${address}/${bitsMax}`;
  if (!/^[1-9]\d{0,2}$/.test(bits) || Number(bits) > bitsMax) return undefined;
  return text;
}
