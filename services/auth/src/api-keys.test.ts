import { randomInt } from "node:crypto";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { makeApiKey } from "@hourglass/runtime";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { USERS } from "./accounts.js";
import { API_KEYS } from "./api-keys.js";
import { EMAIL, openAuth, PASSWORD, START, type TestAuth } from "./testing/open-auth.js";

const REFUSED = { kind: "unauthenticated" };
const DASHBOARD = { name: "Dashboard", scopes: ["insights"] };
const MINUTE_MS = 60_000;

let test: TestAuth;
let token: string;

beforeEach(async () => {
  test = await openAuth();
  await test.populate();
  token = await test.signIn();
});
afterEach(() => test.close());

const create = async (request: object = {}) => test.auth.createApiKey({ ...DASHBOARD, ...request }, { token });

describe("an API key", () => {
  it("is shown once, and stands for its company and its maker", async () => {
    const { id, secret, key } = await create({ readOnly: true });
    expect(secret).toMatch(/^hg_[0-9A-Za-z]{40}$/);
    expect(key).toMatchObject({ id, name: "Dashboard", scopes: ["insights"], readOnly: true, createdBy: 1n });
    expect(secret.startsWith(key?.prefix ?? "none")).toBe(true);
    await expect(test.parts.authenticate(secret)).resolves.toMatchObject({
      userId: 1,
      companyId: 1,
      email: EMAIL,
      role: "viewer",
      key: { id: Number(id), name: "Dashboard", scopes: ["insights"], readOnly: true },
    });
    const caller = await test.auth.getUser({}, { token: secret });
    expect(caller).toMatchObject({ user: { id: 1n, role: "viewer" }, key: { id, name: "Dashboard" } });
  });

  it("is stored as a hash alone, which is another one elsewhere", async () => {
    const { secret } = await create();
    const stored = await (await test.store.collection(API_KEYS)).find({});
    expect(JSON.stringify(stored)).not.toContain(secret.slice(11));
    const other = await openAuth();
    try {
      await other.populate();
      const keys = await other.store.collection(API_KEYS);
      for (const record of stored) await keys.insert(record);
      await expect(other.parts.authenticate(secret)).rejects.toMatchObject(REFUSED);
    } finally {
      await other.close();
    }
  });

  it("is known to every process on the same data", async () => {
    const { secret } = await create();
    const beside = await test.beside();
    await expect(beside.parts.authenticate(secret)).resolves.toMatchObject({ companyId: 1 });
  });

  it.each([
    ["with another last character", (secret: string) => secret.slice(0, -1) + (secret.endsWith("0") ? "1" : "0")],
    ["with another secret", (secret: string) => secret.slice(0, 11) + makeApiKey(randomInt).secret.slice(11)],
    ["that nobody made", () => makeApiKey(randomInt).secret],
    ["that is cut off", (secret: string) => secret.slice(0, -1)],
    ["of its public part", (secret: string) => secret.slice(0, 11)],
  ])("%s opens nothing", async (_, change) => {
    const { secret } = await create();
    await expect(test.parts.authenticate(change(secret))).rejects.toMatchObject(REFUSED);
  });

  it("ends when it expires, is deleted, or its company is erased", async () => {
    const { secret } = await create({ expiresAt: timestampFromMs(START + MINUTE_MS) });
    await expect(test.auth.getUser({}, { token: secret })).resolves.toMatchObject({
      expiresAt: { seconds: BigInt((START + MINUTE_MS) / 1000) },
    });
    test.clock.now += MINUTE_MS;
    await expect(test.parts.authenticate(secret)).rejects.toMatchObject({ ...REFUSED, code: "key_expired" });
    const second = await create();
    await test.auth.deleteApiKey({ id: second.id }, { token });
    await expect(test.parts.authenticate(second.secret)).rejects.toMatchObject(REFUSED);
    await expect(test.auth.deleteApiKey({ id: second.id }, { token })).rejects.toMatchObject({ kind: "not-found" });
  });

  it("opens nothing for a maker who is gone, even if it was made while they went", async () => {
    const { secret } = await create();
    await (await test.store.collection(USERS)).delete({ id: 1 });
    await expect(test.parts.authenticate(secret)).rejects.toMatchObject(REFUSED);
  });

  it("notes when it was last used, to within some minutes and without a write per use", async () => {
    const { secret } = await create();
    const usedAt = async () => (await test.auth.listApiKeys({}, { token })).keys[0]?.lastUsedAt;
    expect(await usedAt()).toBeUndefined();
    await test.parts.authenticate(secret);
    const first = timestampFromMs(START);
    await expect.poll(usedAt).toEqual(first);
    test.clock.now += 4 * MINUTE_MS;
    await test.parts.authenticate(secret);
    expect(await usedAt()).toEqual(first);
    test.clock.now += MINUTE_MS;
    await test.parts.authenticate(secret);
    await expect.poll(usedAt).toEqual(timestampFromMs(START + 5 * MINUTE_MS));
  });
});

describe("API keys", () => {
  it.each([
    [{ name: "" }, ["name"]],
    [{ name: "   " }, ["name"]],
    [{ name: "x".repeat(121), scopes: [] }, ["name", "scopes"]],
    [{ scopes: ["operations", "audit"] }, ["scopes[1]"]],
    [{ scopes: ["exports", "exports"] }, ["scopes"]],
    [{ expiresAt: "now" }, ["expires_at"]],
  ])("are refused as %j", async (request, fields) => {
    const violations = fields.map((field) => expect.objectContaining({ field }) as unknown);
    const wanted = "expiresAt" in request ? { expiresAt: timestampFromMs(START) } : request;
    await expect(create(wanted)).rejects.toMatchObject({ kind: "invalid", violations });
  });

  it("are listed and deleted by their own company alone", async () => {
    const { id } = await create();
    await test.admin.createCompany({ name: "Other" });
    await test.admin.createUser({ email: "eve@example.com", company: "Other", password: PASSWORD });
    const eve = await test.signIn("eve@example.com");
    expect((await test.auth.listApiKeys({}, { token: eve })).keys).toEqual([]);
    await expect(test.auth.deleteApiKey({ id }, { token: eve })).rejects.toMatchObject({ kind: "not-found" });
    expect((await test.auth.listApiKeys({}, { token })).keys).toMatchObject([{ id }]);
  });

  it("are listed page by page, newest first", async () => {
    for (const name of ["a", "b", "c"]) await create({ name });
    const first = await test.auth.listApiKeys({ limit: 2 }, { token });
    expect(first.keys.map(({ name }) => name)).toEqual(["c", "b"]);
    const second = await test.auth.listApiKeys({ limit: 2, cursor: first.nextCursor }, { token });
    expect(second.keys.map(({ name }) => name)).toEqual(["a"]);
    expect(second.nextCursor).toBe("");
  });

  it("open neither keys, users, the audit log nor a session", async () => {
    const { secret } = await create({ scopes: ["operations", "insights", "exports"] });
    const as = { token: secret };
    const refused = { kind: "forbidden", code: "no_api_keys" };
    await expect(test.auth.listApiKeys({}, as)).rejects.toMatchObject(refused);
    await expect(test.auth.createApiKey(DASHBOARD, as)).rejects.toMatchObject(refused);
    await expect(test.auth.listCompanyUsers({}, as)).rejects.toMatchObject(refused);
    await expect(test.auth.listAuditEvents({}, as)).rejects.toMatchObject(refused);
    await expect(test.auth.signOut({}, as)).rejects.toMatchObject(refused);
    await expect(test.auth.renewToken({}, as)).rejects.toMatchObject(refused);
    const change = { currentPassword: PASSWORD, password: "another password" };
    await expect(test.auth.changePassword(change, as)).rejects.toMatchObject(refused);
  });

  it("are made, listed and revoked by the operator's command, who is no user", async () => {
    const { key, secret } = await test.admin.issueApiKey({ company: "Acme", ...DASHBOARD });
    expect(key).toMatchObject({ createdBy: 0n, companyId: 1n });
    await expect(test.parts.authenticate(secret)).resolves.toMatchObject({ userId: undefined, role: "member" });
    expect((await test.admin.listAllApiKeys({})).keys).toMatchObject([{ name: "Dashboard" }]);
    await test.admin.revokeApiKey({ id: key?.id ?? 0n });
    await expect(test.parts.authenticate(secret)).rejects.toMatchObject(REFUSED);
    await expect(test.admin.revokeApiKey({ id: 99n })).rejects.toMatchObject({ kind: "not-found" });
    const elsewhere = { company: "Nobody", ...DASHBOARD };
    await expect(test.admin.issueApiKey(elsewhere)).rejects.toMatchObject({ kind: "not-found" });
  });
});
