import { isIP } from "node:net";
import { experimental, type ChannelOptions } from "@grpc/grpc-js";

/** A custom scheme, because grpc-js supports lists of IP addresses but not lists of names. */
const SCHEME = "hourglass";

/** Location of a peer: one address or several equivalent ones. */
export interface PeerAddresses {
  /** The target of the grpc-js channel. */
  readonly target: string;
  /** Value of the `:authority` header. */
  readonly authority: string;
  readonly hosts: readonly string[];
}

/**
 * Parses addresses, each `host:port` or `dns:///host:port`; a host is an IP address, or a name that resolves to one or
 * more. Throws TypeError if an address is invalid or the list is empty.
 */
export function peerAddresses(addresses: string | readonly string[]): PeerAddresses {
  const read = [addresses].flat().map(hostAndPort);
  const [first] = read;
  if (first === undefined) throw new TypeError("A client needs at least one address.");
  return {
    target: `${SCHEME}:///${read.map(({ text }) => text).join(",")}`,
    authority: first.text,
    hosts: read.map(({ host }) => host),
  };
}

function hostAndPort(address: string): { host: string; text: string } {
  const text = address.replace(/^dns:(\/\/\/)?/, "");
  const parts = /[,/\s]/.test(text) ? null : experimental.splitHostPort(text);
  if (parts?.port === undefined || parts.host === "") {
    throw new TypeError(`"${address}" is not an address; write host:port or dns:///host:port.`);
  }
  return { host: parts.host, text };
}

type Found = experimental.StatusOr<experimental.Endpoint[]>;

/**
 * Resolves every name of a list and reports the results as the endpoints of one peer. A name that cannot be resolved
 * does not affect the others, and its previous addresses are kept.
 */
class AddressListResolver implements experimental.Resolver {
  private readonly names: readonly experimental.Resolver[];
  private readonly found = new Map<string, Found>();

  constructor(
    target: experimental.GrpcUri,
    private readonly listener: experimental.ResolverListener,
    options: ChannelOptions,
  ) {
    const take = (path: string) => (found: Found) => {
      if (found.ok || this.found.get(path)?.ok !== true) this.found.set(path, found);
      return this.tell();
    };
    this.names = target.path
      .split(",")
      .map((path) => experimental.createResolver({ scheme: "dns", path }, take(path), options));
  }

  updateResolution(): void {
    for (const name of this.names) name.updateResolution();
  }

  destroy(): void {
    for (const name of this.names) name.destroy();
  }

  /** Reports the addresses known so far, so that a slow name server does not delay calls to other addresses. */
  private tell(): boolean {
    const found = [...this.found.values()];
    const endpoints = found.flatMap((one) => (one.ok ? one.value : []));
    if (endpoints.length > 0) return this.listener({ ok: true, value: endpoints }, {}, null, "");
    const [failure] = found;
    if (failure === undefined || found.length < this.names.length) return true;
    return this.listener(failure, {}, null, "");
  }

  /** The server name for TLS (SNI), which may not be an IP address. The credentials decide which peer is accepted. */
  static getDefaultAuthority(target: experimental.GrpcUri): string {
    const hosts = target.path.split(",").map((path) => experimental.splitHostPort(path)?.host ?? "");
    return hosts.find((host) => isIP(host) === 0) ?? "localhost";
  }
}

experimental.registerResolver(SCHEME, AddressListResolver);
