import { checkServerIdentity, type PeerCertificate } from "node:tls";
import { ChannelCredentials, experimental, ServerCredentials } from "@grpc/grpc-js";
import { ConfigError } from "../../config/variables.js";
import { type Certificates, certificatesOf, type TlsFiles } from "../../tls-certificates.js";

/** Credentials of a server; plaintext without files. Throws ConfigError. */
export async function serverCredentials(tls: TlsFiles | undefined): Promise<ServerCredentials> {
  if (tls === undefined) return ServerCredentials.createInsecure();
  const certificates = await certificatesOf(tls);
  const { certificate, key, authority } = certificates.current;
  if (certificate === null || key === null) {
    throw new ConfigError("Wrong configuration: to serve others under TLS, set TLS_CERT_FILE and TLS_KEY_FILE");
  }
  const clientCerts = tls.clientCerts ?? false;
  // Without `caFile`, clients with a certificate of any authority that Node trusts would be accepted, that is anyone.
  if (clientCerts && authority === null) {
    throw new ConfigError("Wrong configuration: TLS_CLIENT_CERTS needs TLS_CA_FILE");
  }
  const provider = new Provider(certificates);
  // grpc-js 1.14 takes the server's own certificate first and the authority of its clients second.
  return experimental.createCertificateProviderServerCredentials(provider, clientCerts ? provider : null, clientCerts);
}

/**
 * Credentials of a client for a peer known by the names `hosts`; plaintext without files. Throws ConfigError.
 */
export async function channelCredentials(
  tls: TlsFiles | undefined,
  hosts: readonly string[],
): Promise<ChannelCredentials> {
  if (tls === undefined) return ChannelCredentials.createInsecure();
  const certificates = await certificatesOf(tls);
  const { certificate, key, authority } = certificates.current;
  // All addresses belong to one peer, so the certificate of any of them must name one of the hosts.
  const verify = { checkServerIdentity: (_: string, shown: PeerCertificate) => refusal(hosts, shown) };
  // The authorities of Node do not change while it runs.
  if (authority === null) return ChannelCredentials.createSsl(null, key, certificate, verify);
  const provider = new Provider(certificates);
  return experimental.createCertificateProviderChannelCredentials(
    provider,
    certificate === null ? null : provider,
    verify,
  );
}

/** Undefined when the certificate names one of the hosts. */
function refusal(hosts: readonly string[], shown: PeerCertificate): Error | undefined {
  const refusals = hosts.map((host) => checkServerIdentity(host, shown));
  return refusals.includes(undefined) ? undefined : refusals[0];
}

/** The certificates as grpc-js follows them: those in use, and then each change. */
class Provider implements experimental.CertificateProvider {
  private readonly calls = new Map<unknown, () => void>();

  constructor(private readonly certificates: Certificates) {}

  addCaCertificateListener(listener: experimental.CaCertificateUpdateListener): void {
    this.follow(listener, () => {
      const { authority } = this.certificates.current;
      listener(authority === null ? null : { caCertificate: authority });
    });
  }

  removeCaCertificateListener(listener: experimental.CaCertificateUpdateListener): void {
    this.unfollow(listener);
  }

  addIdentityCertificateListener(listener: experimental.IdentityCertificateUpdateListener): void {
    this.follow(listener, () => {
      const { certificate, key } = this.certificates.current;
      listener(certificate === null || key === null ? null : { certificate, privateKey: key });
    });
  }

  removeIdentityCertificateListener(listener: experimental.IdentityCertificateUpdateListener): void {
    this.unfollow(listener);
  }

  private follow(listener: unknown, call: () => void): void {
    this.calls.set(listener, call);
    this.certificates.listen(call);
    // grpc-js takes notice only once it has added the listener.
    process.nextTick(call);
  }

  private unfollow(listener: unknown): void {
    const call = this.calls.get(listener);
    if (call === undefined) return;
    this.calls.delete(listener);
    this.certificates.unlisten(call);
  }
}
