import { lookup as systemLookup, type LookupAddress } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { promisify } from "node:util";
import { isAllowedHost } from "./allowed-host.js";
import type { Attempt } from "./attempt.js";
import { HttpFailure } from "./http-failure.js";
import { isPublicAddress } from "./public-address.js";
import { noAddress, refusal } from "./refusals.js";

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

/** The host without brackets. Node's URL has already normalised the spelling of a literal address. */
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
