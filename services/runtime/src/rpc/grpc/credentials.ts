import { readFile } from "node:fs/promises";
import { ChannelCredentials, ServerCredentials } from "@grpc/grpc-js";

/** PEM files. A server needs `certFile` and `keyFile`; with `caFile` it asks its clients for certificates too. */
export interface TlsFiles {
  certFile?: string;
  keyFile?: string;
  caFile?: string;
}

export async function serverCredentials(tls: TlsFiles | undefined): Promise<ServerCredentials> {
  if (tls === undefined) return ServerCredentials.createInsecure();
  const { certFile, keyFile, caFile } = tls;
  if (certFile === undefined || keyFile === undefined) throw new Error("TLS needs both a certificate and its key.");
  const [certificate, key, ca] = await Promise.all([readFile(certFile), readFile(keyFile), readOptional(caFile)]);
  return ServerCredentials.createSsl(ca, [{ cert_chain: certificate, private_key: key }], ca !== null);
}

export async function channelCredentials(tls: TlsFiles | undefined): Promise<ChannelCredentials> {
  if (tls === undefined) return ChannelCredentials.createInsecure();
  const [ca, key, certificate] = await Promise.all([tls.caFile, tls.keyFile, tls.certFile].map(readOptional));
  return ChannelCredentials.createSsl(ca ?? null, key ?? null, certificate ?? null);
}

async function readOptional(file: string | undefined): Promise<Buffer | null> {
  return file === undefined ? null : readFile(file);
}
