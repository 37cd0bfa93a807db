import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { KEY_LEAD_MS } from "../keys/key-lead.js";
import { EMAIL, openAuth, PASSWORD, type TestAuth } from "../testing/open-auth.js";
import { COMPANIES } from "../accounts/company.js";

const REFUSED = { name: "AppError", kind: "unauthenticated" };
const TTL_MS = 86_400_000;

let test: TestAuth;
beforeEach(async () => {
  test = await openAuth();
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

  it("lets sessions go on", async () => {
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
