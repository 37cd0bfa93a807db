import { isIP } from "node:net";
import { experimental, type ChannelOptions } from "@grpc/grpc-js";

/** A scheme of our own: grpc-js knows lists of IP addresses, but none of names. */
const SCHEME = "hourglass";

/** Where a peer is: one address or several, which all do the same. */
export interface PeerAddresses {
  /** The name that grpc-js opens a channel to. */
  readonly target: string;
  /** What is sent as `:authority`. */
  readonly authority: string;
  readonly hosts: readonly string[];
}

/**
 * Reads addresses, each `host:port` or `dns:///host:port`; a host may be an IP address, or a name that stands for
 * several. Throws TypeError when one is neither, and when there is none.
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
 * Looks up every name of a list, and hands over what they stand for as the endpoints of one peer. A name that cannot be
 * looked up does not stand in the way of the others, and what it stood for before is kept.
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

  /** Tells what is known so far: nobody waits for a slow name server while another address could answer. */
  private tell(): boolean {
    const found = [...this.found.values()];
    const endpoints = found.flatMap((one) => (one.ok ? one.value : []));
    if (endpoints.length > 0) return this.listener({ ok: true, value: endpoints }, {}, null, "");
    const [failure] = found;
    if (failure === undefined || found.length < this.names.length) return true;
    return this.listener(failure, {}, null, "");
  }

  /** The name that TLS sends ahead; it forbids IP addresses there. Who may answer is decided by the credentials. */
  static getDefaultAuthority(target: experimental.GrpcUri): string {
    const hosts = target.path.split(",").map((path) => experimental.splitHostPort(path)?.host ?? "");
    return hosts.find((host) => isIP(host) === 0) ?? "localhost";
  }
}

experimental.registerResolver(SCHEME, AddressListResolver);
