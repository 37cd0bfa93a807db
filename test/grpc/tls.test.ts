import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { OperationService } from "@hourglass/proto/operation/v1/operation_service";
import {
  certificatesOf,
  ConfigError,
  createGrpcClient,
  createGrpcServer,
  createLogger,
  type TlsFiles,
} from "@hourglass/runtime";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createAuthority, type Authority } from "./certificates.js";
import { FakeServices, TOKEN } from "./fake-services.js";

const HOUR_MS = 3_600_000;
const UNAVAILABLE = { kind: "unavailable" };

describe("gRPC under TLS", () => {
  let folder: string;
  let ours: Authority;
  let theirs: Authority;
  const stops: (() => void | Promise<void>)[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "hourglass-tls-"));
    ours = createAuthority(folder, "ours");
    theirs = createAuthority(folder, "theirs");
  });
  afterAll(() => rm(folder, { recursive: true }));
  afterEach(async () => {
    for (const stop of stops.splice(0).reverse()) await stop();
  });

  async function serve(tls: TlsFiles | undefined): Promise<number> {
    const { routes, dispatcher } = new FakeServices();
    const server = await createGrpcServer({ routes, dispatcher, log: createLogger("silent"), tls });
    stops.push(() => server.stop(0));
    return server.listen({ port: 0 });
  }

  async function call(addresses: string | string[], tls: TlsFiles | undefined): Promise<bigint | undefined> {
    const { client, close } = await createGrpcClient(OperationService, addresses, { tls, channels: 1 });
    stops.push(close);
    return (await client.getOperation({ id: 7n }, { token: TOKEN })).operation?.id;
  }

  const serverFiles = (hosts = ["127.0.0.1", "localhost"]) => ours.certify("server", hosts);

  it("answers clients who trust its authority", async () => {
    const port = await serve(serverFiles());
    expect(await call(`127.0.0.1:${port}`, { caFile: ours.caFile })).toBe(7n);
    expect(await call(`dns:///localhost:${port}`, { caFile: ours.caFile })).toBe(7n);
  });

  it("answers nobody in the clear, and its clients speak to nobody in the clear", async () => {
    await expect(call(`127.0.0.1:${await serve(serverFiles())}`, undefined)).rejects.toMatchObject(UNAVAILABLE);
    const inTheClear = await serve(undefined);
    await expect(call(`127.0.0.1:${inTheClear}`, { caFile: ours.caFile })).rejects.toMatchObject(UNAVAILABLE);
  });

  it("is refused by clients who trust another authority, or none but the world's", async () => {
    const port = await serve(serverFiles());
    await expect(call(`127.0.0.1:${port}`, { caFile: theirs.caFile })).rejects.toMatchObject(UNAVAILABLE);
    await expect(call(`127.0.0.1:${port}`, {})).rejects.toMatchObject(UNAVAILABLE);
  });

  it("is refused under a name its certificate does not hold", async () => {
    const port = await serve(serverFiles(["auth.example", "localhost"]));
    await expect(call(`127.0.0.1:${port}`, { caFile: ours.caFile })).rejects.toMatchObject(UNAVAILABLE);
    expect(await call([`127.0.0.1:${port}`, `localhost:${port}`], { caFile: ours.caFile })).toBe(7n);
  });

  it("demands a certificate of its authority from clients when configured", async () => {
    const { caFile } = ours;
    const address = `127.0.0.1:${await serve({ ...serverFiles(), caFile, clientCerts: true })}`;
    await expect(call(address, { caFile })).rejects.toMatchObject(UNAVAILABLE);
    await expect(call(address, { caFile, ...theirs.certify("stranger", ["stranger"]) })).rejects.toMatchObject(
      UNAVAILABLE,
    );
    expect(await call(address, { caFile, ...ours.certify("client", ["client"]) })).toBe(7n);
  });

  it("demands none otherwise", async () => {
    const { caFile } = ours;
    const address = `127.0.0.1:${await serve({ ...serverFiles(), caFile, clientCerts: false })}`;
    expect(await call(address, { caFile })).toBe(7n);
    expect(await call(address, { caFile, ...theirs.certify("stranger", ["stranger"]) })).toBe(7n);
  });

  it("goes over to renewed certificates, and to another authority, without a restart", async () => {
    const successor = createAuthority(folder, "successor");
    const files = { ...serverFiles(), caFile: path.join(folder, "in-use.pem"), clientCerts: true };
    await copyFile(ours.caFile, files.caFile);
    const address = `127.0.0.1:${await serve(files)}`;
    expect(await call(address, files)).toBe(7n);
    const certificates = await certificatesOf(files);
    const before = certificates.expiries();

    const renewed = successor.certify("renewed", ["127.0.0.1"], 48 * HOUR_MS);
    await copyFile(renewed.certFile, files.certFile);
    await expect(certificates.reload()).rejects.toThrow(/TLS_CERT_FILE and TLS_KEY_FILE cannot be used/);
    expect(certificates.expiries()).toEqual(before);

    await copyFile(renewed.keyFile, files.keyFile);
    await copyFile(successor.caFile, files.caFile);
    expect(await certificates.reload()).toBe(true);
    expect(await certificates.reload()).toBe(false);
    expect(await call(address, files)).toBe(7n);
    expect(await call(address, { caFile: successor.caFile, ...renewed })).toBe(7n);
    await expect(call(address, { caFile: ours.caFile, ...renewed })).rejects.toMatchObject(UNAVAILABLE);
    expect(certificates.expiries().get("TLS_CERT_FILE")).toBeGreaterThan(Date.now() + 47 * HOUR_MS);
  });

  it("names the variable and the file that cannot be used", async () => {
    const missing = path.join(folder, "missing.pem");
    const garbage = path.join(folder, "garbage.pem");
    await writeFile(garbage, "garbage");
    const { certFile } = serverFiles();
    const { keyFile } = ours.certify("other", ["other"]);
    await expect(serve({ certFile: missing, keyFile })).rejects.toThrow(
      new RegExp(`^Wrong configuration: TLS_CERT_FILE is "${missing}", which cannot be read \\(.+\\)$`),
    );
    await expect(call("127.0.0.1:1", { caFile: missing })).rejects.toThrow(/^Wrong configuration: TLS_CA_FILE is /);
    await expect(serve({ certFile: garbage, keyFile })).rejects.toThrow(
      /TLS_CERT_FILE and TLS_KEY_FILE cannot be used/,
    );
    await expect(serve({ certFile, keyFile })).rejects.toThrow(/TLS_CERT_FILE and TLS_KEY_FILE cannot be used/);
    await expect(serve({ ...serverFiles(), caFile: garbage })).rejects.toThrow(/TLS_CA_FILE/);
  });

  it("serves nobody without its own certificate", async () => {
    await expect(serve({ caFile: ours.caFile })).rejects.toThrow(
      new ConfigError("Wrong configuration: to serve others under TLS, set TLS_CERT_FILE and TLS_KEY_FILE"),
    );
    await expect(serve({ ...serverFiles(), clientCerts: true })).rejects.toThrow(/TLS_CLIENT_CERTS needs TLS_CA_FILE/);
  });
});
