import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import { createLogger, createServiceAuthenticator } from "@hourglass/runtime";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { EMAIL, openAuth, PASSWORD, type TestAuth } from "./testing/open-auth.js";
import { KEY_LEAD_MS } from "./signing-keys.js";
import { COMPANIES } from "./accounts.js";

const REFUSED = { name: "AppError", kind: "unauthenticated" };
const TTL_MS = 86_400_000;
const SECRET = "a secret of some length";

let test: TestAuth;
beforeEach(async () => {
  test = await openAuth({ SERVICE_SECRET: SECRET });
  await test.populate();
});
afterEach(() => test.close());

const keyIds = async (of: TestAuth): Promise<string[]> => (await of.auth.listKeys({})).keys.map(({ id }) => id);

describe("a token", () => {
  it("stands for its user", async () => {
    const token = await test.signIn();
    await expect(test.parts.authenticate(token)).resolves.toMatchObject({ userId: 1, companyId: 1, email: EMAIL });
    const { user } = await test.auth.getUser({}, { token });
    expect(user).toMatchObject({ id: 1n, email: EMAIL, company: { name: "Acme" } });
  });

  it.each(["", "x", "a.b.c"])("that is %j opens nothing", async (token) => {
    await expect(test.auth.getUser({}, { token })).rejects.toMatchObject(REFUSED);
  });

  it("ends with its time", async () => {
    const token = await test.signIn();
    test.clock.now += TTL_MS + 4_000;
    await expect(test.parts.authenticate(token)).resolves.toBeDefined();
    test.clock.now += 1_000;
    await expect(test.parts.authenticate(token)).rejects.toMatchObject(REFUSED);
  });

  it("ends when the password is changed, and the new password opens a new one", async () => {
    const token = await test.signIn();
    await test.admin.setPassword({ email: "ANN@example.com", password: "another password" });
    await expect(test.parts.authenticate(token)).rejects.toMatchObject(REFUSED);
    await expect(test.signIn()).rejects.toMatchObject(REFUSED);
    await expect(test.parts.authenticate(await test.signIn(EMAIL, "another password"))).resolves.toBeDefined();
  });

  it("ends when the user is deleted, for good", async () => {
    const token = await test.signIn();
    await test.admin.deleteUser({ email: EMAIL });
    await expect(test.parts.authenticate(token)).rejects.toMatchObject(REFUSED);
    await test.admin.createUser({ email: EMAIL, company: "Acme", password: PASSWORD });
    await expect(test.parts.authenticate(token)).rejects.toMatchObject(REFUSED);
  });

  it("ends when the company is gone", async () => {
    const token = await test.signIn();
    const companies = await test.store.collection(COMPANIES);
    await companies.delete({ id: 1 });
    await expect(test.parts.authenticate(token)).rejects.toMatchObject(REFUSED);
    await expect(test.signIn()).rejects.toMatchObject(REFUSED);
  });

  it("shows the products as they are now", async () => {
    const token = await test.signIn();
    await test.admin.setProduct({ company: "Acme", uid: "api", active: false });
    await expect(test.parts.authenticate(token)).resolves.toMatchObject({
      products: [
        { uid: "api", active: false },
        { uid: "insight", active: true },
      ],
    });
  });

  it("survives a restart", async () => {
    const token = await test.signIn();
    const restarted = await test.beside();
    await expect(restarted.parts.authenticate(token)).resolves.toMatchObject({ userId: 1 });
    expect(await keyIds(restarted)).toEqual(await keyIds(test));
  });

  it("of another deployment opens nothing", async () => {
    const other = await openAuth();
    try {
      await other.populate();
      await expect(test.parts.authenticate(await other.signIn())).rejects.toMatchObject(REFUSED);
    } finally {
      await other.close();
    }
  });
});

describe("key rotation", () => {
  beforeEach(() => {
    test.clock.now += 1000; // the first key is older than the next
  });

  it("keeps sessions valid", async () => {
    const token = await test.signIn();
    await test.admin.rotateKeys({});
    test.clock.now += KEY_LEAD_MS;
    const later = await test.signIn();
    expect(later.split(".")[0]).not.toBe(token.split(".")[0]);
    await expect(test.parts.authenticate(token)).resolves.toBeDefined();
    await expect(test.parts.authenticate(later)).resolves.toBeDefined();
  });

  it("lists a new key before it signs", async () => {
    const [old] = await keyIds(test);
    const { keyId } = await test.admin.rotateKeys({});
    expect(await keyIds(test)).toEqual([keyId, old]);
    const header = (token: string): unknown =>
      JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString());
    test.clock.now += KEY_LEAD_MS - 1;
    expect(header(await test.signIn())).toMatchObject({ kid: old });
    test.clock.now += 1;
    expect(header(await test.signIn())).toMatchObject({ kid: keyId });
  });

  it("reaches a running server, at once when a token needs it", async () => {
    const server = await test.beside();
    await test.admin.rotateKeys({});
    test.clock.now += KEY_LEAD_MS;
    const token = await test.signIn();
    await expect(server.parts.authenticate(token)).resolves.toBeDefined();
    expect(await keyIds(server)).toEqual(await keyIds(test));
  });

  it("reaches a running server that nobody calls, within two seconds", async () => {
    const server = await test.beside();
    const { keyId } = await test.admin.rotateKeys({});
    await expect.poll(() => keyIds(server)).toContain(keyId);
  });

  it("retires the old key when all its tokens have expired, and not before", async () => {
    const [old = ""] = await keyIds(test);
    const token = await test.signIn();
    await test.admin.rotateKeys({});
    test.clock.now += TTL_MS - 1_000;
    await expect(test.parts.authenticate(token)).resolves.toBeDefined();
    test.clock.now += 120_000;
    expect(await keyIds(test)).not.toContain(old);
    await expect.poll(() => readdir(path.join(test.dataDir, "keys"))).not.toContain(`${old}.pem`);
  });

  it("takes back a key whose file is removed", async () => {
    const [old = ""] = await keyIds(test);
    const token = await test.signIn();
    await test.admin.rotateKeys({});
    await rm(path.join(test.dataDir, "keys", `${old}.pem`));
    await expect.poll(() => keyIds(test)).not.toContain(old);
    await expect(test.parts.authenticate(token)).rejects.toMatchObject(REFUSED);
  });

  it("publishes public keys only", async () => {
    const [key] = (await test.auth.listKeys({})).keys;
    const jwk = JSON.parse(key?.jwkJson ?? "") as Record<string, unknown>;
    expect(Object.keys(jwk).sort()).toEqual(["alg", "crv", "kid", "kty", "use", "x", "y"]);
    expect(jwk).toMatchObject({ kid: key?.id, alg: "ES256", use: "sig", kty: "EC", crv: "P-256" });
  });
});

const request = { service: "operation", companyId: 1n, secret: SECRET };

describe("a service token", () => {
  it("names service and company, and is valid for five minutes", async () => {
    const { token, expiresInSeconds } = await test.auth.issueServiceToken(request);
    expect(expiresInSeconds).toBe(300);
    const { auth, clock } = test;
    const authenticate = createServiceAuthenticator({ auth, log: createLogger("silent"), now: () => clock.now });
    await expect(authenticate(token)).resolves.toEqual({ service: "operation", companyId: 1 });
    clock.now += 304_000;
    await expect(authenticate(token)).resolves.toBeDefined();
    clock.now += 1000;
    await expect(authenticate(token)).rejects.toMatchObject({ kind: "unauthenticated" });
  });

  it("comes with the company and the products that it may use now", async () => {
    await test.admin.setProduct({ company: "Acme", uid: "insight", active: false });
    expect((await test.auth.issueServiceToken(request)).company).toMatchObject({
      id: 1n,
      products: [
        { uid: "api", active: true },
        { uid: "insight", active: false },
      ],
    });
  });

  it("outlives a new signing key, also where tokens of users last a second", async () => {
    const brief = await test.beside({ SERVICE_SECRET: SECRET, JWT_TTL_SECONDS: "1" });
    const { token } = await brief.auth.issueServiceToken(request);
    await brief.admin.rotateKeys({});
    test.clock.now += 290_000;
    const { auth, clock } = brief;
    const authenticate = createServiceAuthenticator({ auth, log: createLogger("silent"), now: () => clock.now });
    await expect(authenticate(token)).resolves.toEqual({ service: "operation", companyId: 1 });
  });

  it.each(["", "a secret of some lengt", `${SECRET} `, SECRET.toUpperCase(), "x".repeat(1024)])(
    "refuses the secret %j",
    async (secret) => {
      await expect(test.auth.issueServiceToken({ ...request, secret })).rejects.toMatchObject({
        kind: secret === "" ? "invalid" : "unauthenticated",
      });
    },
  );

  it("refuses every secret when the deployment has none", async () => {
    const other = await test.beside({});
    await expect(other.auth.issueServiceToken(request)).rejects.toMatchObject({ kind: "unauthenticated" });
  });

  it("knows no company that is not there", async () => {
    await expect(test.auth.issueServiceToken({ ...request, companyId: 9n })).rejects.toMatchObject({
      kind: "not-found",
    });
  });

  it.each(["", "Operation", "7", "operation\n", "o".repeat(33)])("refuses the name %j", async (service) => {
    await expect(test.auth.issueServiceToken({ ...request, service })).rejects.toMatchObject({ kind: "invalid" });
  });

  it("gives no token that opens what is a user's, nor the reverse", async () => {
    const { token } = await test.auth.issueServiceToken(request);
    await expect(test.auth.getUser({}, { token })).rejects.toMatchObject({ kind: "unauthenticated" });
    const { auth, clock } = test;
    const authenticate = createServiceAuthenticator({ auth, log: createLogger("silent"), now: () => clock.now });
    await expect(authenticate(await test.signIn(EMAIL))).rejects.toMatchObject({ kind: "unauthenticated" });
  });
});
