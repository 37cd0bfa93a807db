import { BlockList, isIP } from "node:net";

type Subnet = readonly [network: string, prefix: number];

/** IANA's registry of special-purpose IPv4 addresses, multicast, and addresses of cloud-internal services. */
const SPECIAL_V4: readonly Subnet[] = [
  ["0.0.0.0", 8], // "this network"
  ["10.0.0.0", 8], // private
  ["100.64.0.0", 10], // carrier-grade NAT, and one cloud's metadata
  ["127.0.0.0", 8], // loopback
  ["168.63.129.16", 32], // one cloud's host agent
  ["169.254.0.0", 16], // link-local, and most clouds' metadata
  ["172.16.0.0", 12], // private
  ["192.0.0.0", 24], // protocol assignments
  ["192.0.2.0", 24], // documentation
  ["192.31.196.0", 24], // AS112
  ["192.52.193.0", 24], // multicast tunnels
  ["192.88.99.0", 24], // 6to4 relays
  ["192.168.0.0", 16], // private
  ["192.175.48.0", 24], // AS112
  ["198.18.0.0", 15], // benchmarks
  ["198.51.100.0", 24], // documentation
  ["203.0.113.0", 24], // documentation
  ["224.0.0.0", 4], // multicast
  ["240.0.0.0", 4], // reserved, and broadcast
];

/** Special ranges within global unicast; the rest of IPv6 is not publicly reachable. */
const SPECIAL_V6: readonly Subnet[] = [
  ["2001::", 23], // protocol assignments: Teredo, benchmarks, ORCHID and others
  ["2001:db8::", 32], // documentation
  ["2002::", 16], // 6to4: wraps any IPv4 address
  ["2620:4f:8000::", 48], // AS112
  ["3fff::", 20], // documentation
];
const GLOBAL_UNICAST: Subnet = ["2000::", 3];
/** The well-known NAT64 prefix, through which IPv6-only networks reach IPv4. */
const NAT64: Subnet = ["64:ff9b::", 96];

const v4 = listOf("ipv4", SPECIAL_V4);
const v6 = listOf("ipv6", [
  ...SPECIAL_V6,
  ...SPECIAL_V4.map(([network, prefix]): Subnet => [`${NAT64[0]}${network}`, NAT64[1] + prefix]),
]);
const reachableV6 = listOf("ipv6", [GLOBAL_UNICAST, NAT64]);

function listOf(family: "ipv4" | "ipv6", subnets: readonly Subnet[]): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of subnets) list.addSubnet(network, prefix, family);
  return list;
}

/**
 * Whether an address is on the public internet. Expects an address as returned by resolvers; anything else, for example
 * a name, an address with a zone or an IPv4-mapped IPv6 address, is not public.
 */
export function isPublicAddress(address: string): boolean {
  // A zone names an interface of this machine.
  if (address.includes("%")) return false;
  switch (isIP(address)) {
    case 4:
      return !v4.check(address, "ipv4");
    case 6:
      return reachableV6.check(address, "ipv6") && !v6.check(address, "ipv6");
    default:
      return false;
  }
}
