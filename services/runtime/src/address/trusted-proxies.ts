import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { canonicalAddress } from "./ip-address.js";

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
