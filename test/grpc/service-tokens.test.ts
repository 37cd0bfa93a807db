import { createPrivateKey, generateKeyPairSync, sign, type KeyObject } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { Code, ConnectError } from "@connectrpc/connect";
import { MediaService } from "@hourglass/proto/media/v1/media_service";
import { OperationService } from "@hourglass/proto/operation/v1/operation_service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { png } from "../support/png.js";
import { startServer, type TestServer } from "../support/server.js";
import { PROTOCOLS, typedClient } from "./typed-clients.js";

const OUR_COMPANY = 1;
const NO_SUCH_FILE = 999_999n;
const stranger = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;

let server: TestServer;
let kid: string;
let key: KeyObject;
let fileId: bigint;

beforeAll(async () => {
  server = await startServer();
  const authorization = await server.signIn();
  const folder = path.join(server.dataDir, "keys");
  const [file = ""] = readdirSync(folder);
  kid = path.basename(file, ".pem");
  key = createPrivateKey(readFileSync(path.join(folder, file)));
  const media = typedClient({ service: MediaService, protocol: "Connect in JSON" }, server, authorization);
  fileId = (await media.uploadFile(upload(png()))).id;
});
afterAll(() => server.close());

/** Claims and header that differ from those of a valid token. */
interface Differences {
  claims?: object;
  header?: object;
  signer?: KeyObject;
}

/** A bearer token like Auth's for the service `operation` and the test's company, with the differences. */
function serviceToken({ claims, header, signer = key }: Differences = {}): string {
  const iat = Math.floor(Date.now() / 1000);
  const good = { iss: "hourglass", aud: "hourglass-services", sub: "operation", company: OUR_COMPANY };
  const parts = [
    { alg: "ES256", kid, typ: "service+jwt", ...header },
    { ...good, iat, exp: iat + 300, ...claims },
  ];
  const input = parts.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  const signature = sign("sha256", Buffer.from(input), { key: signer, dsaEncoding: "ieee-p1363" });
  return `Bearer ${input}.${signature.toString("base64url")}`;
}

const ago = (seconds: number) => Math.floor(Date.now() / 1000) - seconds;

const REFUSED: readonly (readonly [string, () => Differences])[] = [
  ["signed by another key", () => ({ signer: stranger })],
  ["that has expired", () => ({ claims: { iat: ago(310), exp: ago(10) } })],
  ["that claims to be good for an hour", () => ({ claims: { exp: ago(-3600) } })],
  ["for the audience of users", () => ({ claims: { aud: "hourglass" } })],
  ["of the type of a user's token", () => ({ header: { typ: "JWT" } })],
  ["that names no company", () => ({ claims: { company: undefined } })],
  ["by a key that nobody has", () => ({ header: { kid: "20260101000000000-00000000" } })],
];

describe.each(PROTOCOLS)("a token of a service by %s", (protocol) => {
  const media = (bearer: string) => typedClient({ service: MediaService, protocol }, server, bearer);
  const read = async (bearer: string, id: bigint) => {
    let bytes = 0;
    for await (const { chunk } of media(bearer).readFile({ fileId: id })) bytes += chunk.length;
    return bytes;
  };
  const claim = (bearer: string, id: bigint) => media(bearer).claimFiles({ operationId: 1n, fileIds: [id] });

  it("opens the records of its company to the methods that take it", async () => {
    expect(await read(serviceToken(), fileId)).toBe(png().length);
    const refusal = await failureOf(claim(serviceToken(), NO_SUCH_FILE));
    expect(refusal.code).not.toBe(Code.Unauthenticated);
  });

  it.each(REFUSED)("%s is refused", async (_, differences) => {
    const bearer = serviceToken(differences());
    expect((await failureOf(claim(bearer, fileId))).code).toBe(Code.Unauthenticated);
    expect((await failureOf(read(bearer, fileId))).code).toBe(Code.Unauthenticated);
  });

  it("of another company is answered as if the file did not exist", async () => {
    const elsewhere = serviceToken({ claims: { company: 2 } });
    const [other, none] = [await failureOf(read(elsewhere, fileId)), await failureOf(read(elsewhere, NO_SUCH_FILE))];
    expect([other.code, other.rawMessage]).toEqual([Code.NotFound, none.rawMessage]);
    const [claimed, ghost] = [
      await failureOf(claim(elsewhere, fileId)),
      await failureOf(claim(elsewhere, NO_SUCH_FILE)),
    ];
    expect([claimed.code, claimed.rawMessage.replaceAll(String(fileId), "N")]).toEqual([
      ghost.code,
      ghost.rawMessage.replaceAll(String(NO_SUCH_FILE), "N"),
    ]);
  });

  it("is refused by the methods of users", async () => {
    const operations = typedClient({ service: OperationService, protocol }, server, serviceToken());
    expect((await failureOf(operations.getOperation({ id: 1n }))).code).toBe(Code.Unauthenticated);
    expect((await failureOf(media(serviceToken()).getFile({ id: fileId }))).code).toBe(Code.Unauthenticated);
  });
});

it("opens no route of REST", async () => {
  const answer = await server.send("GET", "/api/v2/products/api/operations", { authorization: serviceToken() });
  expect(answer.status).toBe(401);
});

async function failureOf(work: Promise<unknown>): Promise<ConnectError> {
  return work.then(
    () => {
      throw new Error("the call did not fail");
    },
    (error: unknown) => ConnectError.from(error),
  );
}

async function* upload(bytes: Buffer) {
  yield await Promise.resolve({ part: { case: "metadata" as const, value: { name: "a.png", marksLast: true } } });
  yield { part: { case: "chunk" as const, value: bytes }, last: true };
}
