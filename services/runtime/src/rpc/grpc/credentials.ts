import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { checkServerIdentity, createSecureContext, type PeerCertificate } from "node:tls";
import { ChannelCredentials, ServerCredentials } from "@grpc/grpc-js";
import { ConfigError } from "../../config/config-error.js";

/**
 * PEM files. A server needs `certFile` and `keyFile`, and with `clientCerts` accepts only clients with a certificate
 * from the authority in `caFile`. A client trusts that authority, or those of Node if absent, and presents `certFile`
 * if set. With `caFile` alone, a process can call others over TLS but cannot serve.
 */
export interface TlsFiles {
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
  readonly caFile?: string | undefined;
  readonly clientCerts?: boolean | undefined;
}

/** Credentials of a server; plaintext without files. Throws ConfigError. */
export async function serverCredentials(tls: TlsFiles | undefined): Promise<ServerCredentials> {
  if (tls === undefined) return ServerCredentials.createInsecure();
  const { certificate, key, authority } = await readFiles(tls);
  if (certificate === null || key === null) {
    throw new ConfigError("Wrong configuration: to serve others under TLS, set TLS_CERT_FILE and TLS_KEY_FILE");
  }
  const clientCerts = tls.clientCerts ?? false;
  // Without `caFile`, clients with a certificate of any authority that Node trusts would be accepted, that is anyone.
  if (clientCerts && authority === null) {
    throw new ConfigError("Wrong configuration: TLS_CLIENT_CERTS needs TLS_CA_FILE");
  }
  return ServerCredentials.createSsl(authority, [{ cert_chain: certificate, private_key: key }], clientCerts);
}

/**
 * Credentials of a client for a peer known by the names `hosts`; plaintext without files. Throws ConfigError.
 */
export async function channelCredentials(
  tls: TlsFiles | undefined,
  hosts: readonly string[],
): Promise<ChannelCredentials> {
  if (tls === undefined) return ChannelCredentials.createInsecure();
  const { certificate, key, authority } = await readFiles(tls);
  return ChannelCredentials.createSsl(authority, key, certificate, {
    // All addresses belong to one peer, so the certificate of any of them must name one of the hosts.
    checkServerIdentity: (_, shown) => refusal(hosts, shown),
  });
}

/** Undefined when the certificate names one of the hosts. */
function refusal(hosts: readonly string[], shown: PeerCertificate): Error | undefined {
  const refusals = hosts.map((host) => checkServerIdentity(host, shown));
  return refusals.includes(undefined) ? undefined : refusals[0];
}

interface TlsContents {
  certificate: Buffer | null;
  key: Buffer | null;
  authority: Buffer | null;
}

async function readFiles({ certFile, keyFile, caFile }: TlsFiles): Promise<TlsContents> {
  const [certificate, key, authority] = await Promise.all([
    read("TLS_CERT_FILE", certFile),
    read("TLS_KEY_FILE", keyFile),
    read("TLS_CA_FILE", caFile),
  ]);
  requirePem("TLS_CERT_FILE and TLS_KEY_FILE", () =>
    createSecureContext({ cert: certificate ?? undefined, key: key ?? undefined }),
  );
  // A secure context accepts any text as an authority, and then trusts no certificate.
  if (authority !== null) requirePem("TLS_CA_FILE", () => new X509Certificate(authority));
  return { certificate, key, authority };
}

async function read(variable: string, file: string | undefined): Promise<Buffer | null> {
  if (file === undefined) return null;
  try {
    return await readFile(file);
  } catch (error) {
    throw new ConfigError(`Wrong configuration: ${variable} is "${file}", which cannot be read (${reason(error)})`);
  }
}

/** Checks a PEM file early, so that the error names its variable instead of appearing as a failed handshake. */
function requirePem(variables: string, use: () => unknown): void {
  try {
    use();
  } catch (error) {
    throw new ConfigError(`Wrong configuration: ${variables} cannot be used (${reason(error)})`);
  }
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
