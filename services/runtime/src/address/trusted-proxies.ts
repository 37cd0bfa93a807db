import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { canonicalAddress } from "./ip-address.js";

/** Which of the machines that a request passed on its way are proxies whose word is taken. */
export type TrustedProxies =
  /** So many, counted from this server. */
  | { readonly hops: number }
  /** Those with an address in one of these networks, such as `10.0.0.0/8`. */
  | { readonly networks: readonly string[] };

/** The machine at `address` that a request passed; `hop` 0 is the one it came from, 1 the one before. */
export type IsTrustedProxy = (address: string, hop: number) => boolean;

export const NO_PROXIES: TrustedProxies = { hops: 0 };
export const TRUSTED_PROXIES_FORM =
  "a number of proxies from 0 to 100, or addresses and networks such as 192.0.2.7,10.0.0.0/8,2001:db8::/32";

const HOPS_MAX = 100;

/** Reads what an operator writes; undefined when it is not of TRUSTED_PROXIES_FORM. */
export function readTrustedProxies(text: string): TrustedProxies | undefined {
  if (/^\d{1,3}$/.test(text)) return Number(text) <= HOPS_MAX ? { hops: Number(text) } : undefined;
  const networks = text.split(",").map((entry) => readNetwork(entry.trim()));
  return networks.every((network) => network !== undefined) ? { networks } : undefined;
}

/** Makes the test that tells trusted proxies from everybody else. */
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

/** A network of one address, or of several; one of all addresses would make everybody a proxy. */
function readNetwork(text: string): string | undefined {
  const [address = "", bits, ...more] = text.split("/");
  const version = isIP(address);
  if (version === 0 || address.includes("%") || more.length > 0) return undefined;
  const bitsMax = version === 4 ? 32 : 128;
  if (bits === undefined) return `${address}/${bitsMax}`;
  if (!/^[1-9]\d{0,2}$/.test(bits) || Number(bits) > bitsMax) return undefined;
  return text;
}
