import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import type { AddressInfo, Server } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import tls from "node:tls";
import { createUrlFetcher, UnreachableUrlError, type UrlFetcherOptions } from "@hourglass/runtime";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createAuthority } from "../grpc/certificates.js";

const folder = mkdtempSync(path.join(tmpdir(), "hourglass-https-"));
const authority = createAuthority(folder, "authority");
const servers: Server[] = [];
let securePort = 0;

async function listen(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

beforeAll(async () => {
  const { certFile, keyFile } = authority.certify("site", ["site.example"]);
  const credentials = { cert: readFileSync(certFile), key: readFileSync(keyFile) };
  securePort = await listen(https.createServer(credentials, (_request, response) => response.end("file")));
});

afterAll(async () => {
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  rmSync(folder, { recursive: true });
});

const LOCAL: UrlFetcherOptions = {
  allowPrivateUrls: true,
  resolve: async () => [{ address: "127.0.0.1", family: 4 }],
};
/** Node's behavior with the test's authority among the trusted ones. */
const TRUSTING: UrlFetcherOptions = {
  ...LOCAL,
  connect: ({ hostname, port, lookup }) =>
    tls.connect({
      host: hostname ?? "",
      port: Number(port),
      servername: hostname ?? "",
      ca: readFileSync(authority.caFile),
      ...(lookup === undefined ? {} : { lookup }),
    }),
};

it("fetches over HTTPS, of a host that its certificate names", async () => {
  const fetched = await createUrlFetcher(TRUSTING).fetch(`https://site.example:${securePort}/`);
  const chunks: Uint8Array[] = [];
  for await (const chunk of fetched.bytes) chunks.push(chunk);
  expect(String(Buffer.concat(chunks))).toBe("file");
});

it("refuses a certificate for another host", async () => {
  const failure = createUrlFetcher(TRUSTING).fetch(`https://other.example:${securePort}/`);
  await expect(failure).rejects.toMatchObject({ permanent: true, message: expect.stringContaining("certificate") });
});

it("refuses a certificate of an authority that it does not trust, also after a redirect", async () => {
  const location = `https://site.example:${securePort}/`;
  const plain = http.createServer((_request, response) => response.writeHead(301, { Location: location }).end());
  const port = await listen(plain);
  const failure = createUrlFetcher(LOCAL).fetch(`http://site.example:${port}/`);
  await expect(failure).rejects.toBeInstanceOf(UnreachableUrlError);
  await expect(failure).rejects.toThrow("its certificate cannot be verified");
});

it("takes a server without TLS for none", async () => {
  const port = await listen(http.createServer((_request, response) => response.end("file")));
  await expect(createUrlFetcher(LOCAL).fetch(`https://site.example:${port}/`)).rejects.toBeInstanceOf(
    UnreachableUrlError,
  );
});
