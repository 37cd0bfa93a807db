import { lookup as systemLookup, type LookupAddress } from "node:dns";
import { isIP, type LookupFunction, BlockList } from "node:net";
import { promisify } from "node:util";
import { type Attempt, HttpFailure } from "./http-attempt.js";

const URL_CHARACTERS_MAX = 2048;

/** Resolves all addresses of a name. */
export type ResolveHost = (host: string) => Promise<readonly LookupAddress[]>;

/** Rules for the allowed destinations of requests. */
export interface DestinationRules {
  /** Disables only the check of addresses. */
  allowPrivateUrls: boolean;
  /** Allowed hosts; all if undefined. */
  allowedHosts?: readonly string[] | undefined;
  /** Origins set by the operator, such as `http://feeds.internal:8080`: neither host nor address is checked. */
  trustedOrigins: readonly string[];
  resolve: ResolveHost;
}

/** `subject` is the subject of the error sentence if the URL is invalid. */
export function parseUrl(text: string, subject: string, base?: URL): URL {
  const url = text.length <= URL_CHARACTERS_MAX && URL.canParse(text, base?.href) ? new URL(text, base) : undefined;
  if (url === undefined || url.hostname === "") {
    throw refusal(`${subject} is not a whole URL such as https://media.example.com/photo.jpg.`);
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw refusal(`${subject} must begin with https:// or http://.`);
  }
  if (url.username !== "" || url.password !== "") {
    throw refusal(`${subject} holds a user name or password; name a file that anyone may read.`);
  }
  return url;
}

/** Throws if the host is not allowed. */
export function checkHost(rules: DestinationRules, url: URL, subject: string): void {
  const { allowedHosts } = rules;
  if (allowedHosts === undefined || isTrusted(rules, url) || isAllowedHost(url.hostname, allowedHosts)) return;
  throw refusal(`${subject} is not among the hosts from which this server may fetch files.`);
}

/** The host without brackets. Node's URL has already normalized the spelling of a literal address. */
export function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "");
}

/** The addresses of the URL's host, all checked. */
export async function addressesOf(
  rules: DestinationRules,
  url: URL,
  { attempt, subject }: { attempt: Attempt; subject: string },
): Promise<readonly LookupAddress[]> {
  const host = bareHost(url);
  const literal = isIP(host);
  const addresses =
    literal === 0 ? await resolve(rules, host, { attempt, subject }) : [{ address: host, family: literal }];
  const usable = addresses.length > 0 && addresses.every(({ address }) => isIP(address) !== 0);
  const allowed =
    rules.allowPrivateUrls || isTrusted(rules, url) || addresses.every(({ address }) => isPublicAddress(address));
  if (usable && allowed) return addresses;
  throw noAddress(subject);
}

async function resolve(
  rules: DestinationRules,
  host: string,
  { attempt, subject }: { attempt: Attempt; subject: string },
): Promise<readonly LookupAddress[]> {
  return attempt.within(() =>
    rules.resolve(host).catch((error: unknown) => {
      if (!isPassingLookupFailure(error)) throw noAddress(subject, error);
      const message = `${subject} could not be looked up just now.`;
      throw new HttpFailure("unreachable", message, error);
    }),
  );
}

function isTrusted({ trustedOrigins }: DestinationRules, url: URL): boolean {
  return trustedOrigins.includes(url.origin);
}

function isPassingLookupFailure(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "EAI_AGAIN" || error.code === "ETIMEOUT");
}

/** A lookup function that returns the checked addresses for any host. */
export function lookupIn(addresses: readonly LookupAddress[]): LookupFunction {
  return (_host, { all }, callback) => {
    process.nextTick(() => {
      const [first] = addresses;
      if (all === true) callback(null, [...addresses]);
      else callback(null, first?.address ?? "", first?.family);
    });
  };
}

const lookupAll = promisify(systemLookup);

/** Resolves with the system's resolver. */
export async function resolveBySystem(host: string): Promise<readonly LookupAddress[]> {
  return lookupAll(host, { all: true });
}

/** A permanent refusal. */
export function refusal(message: string, cause?: unknown): HttpFailure {
  return new HttpFailure("refused", message, cause);
}

/**
 * A host without an address that anyone can reach: its name is misspelled or no longer registered, or its addresses are
 * private. They share one failure, because two would reveal which names the private network has. `subject` is the subject of
 * the sentence.
 */
function noAddress(subject: string, cause?: unknown): HttpFailure {
  const message = `${subject} has no address on the public internet. Check how it is spelled, and give a URL that anyone can reach.`;
  return new HttpFailure("unknown-host", message, cause);
}

/**
 * Whether the host matches one of the patterns. `media.example.com` matches only that host, `*.example.org` every
 * subdomain of `example.org` but not `example.org` itself. Case and a trailing dot are ignored.
 */
export function isAllowedHost(host: string, patterns: readonly string[]): boolean {
  const name = plain(host);
  return patterns.some((pattern) => {
    const wanted = plain(pattern);
    return wanted.startsWith("*.")
      ? name.length > wanted.length - 1 && name.endsWith(wanted.slice(1))
      : name === wanted;
  });
}

function plain(host: string): string {
  return host.toLowerCase().replace(/\.$/, "");
}

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
