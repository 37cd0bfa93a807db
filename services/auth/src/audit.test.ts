import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { AuditOutcome } from "@hourglass/proto/auth/v1/audit";
import { AuditTrail } from "@hourglass/runtime";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { EMAIL, openAuth, PASSWORD, START, type TestAuth } from "./testing/open-auth.js";

const DAY_MS = 86_400_000;
const KEY = { name: "Dashboard", scopes: ["exports"] };

let test: TestAuth;
let token: string;

beforeEach(async () => {
  test = await openAuth({ AUDIT_DAYS: "2" });
  await test.populate();
  token = await test.signIn();
});
afterEach(() => test.close());

const events = async () => (await test.auth.listAuditEvents({}, { token })).events;
const actions = async () => (await events()).map(({ action }) => action);

describe("the audit log", () => {
  it("says who did what when, without its contents", async () => {
    const { id, secret } = await test.auth.createApiKey(KEY, { token });
    const [created, signedIn] = await events();
    const by = { userId: 1n, email: EMAIL, keyId: 0n, outcome: AuditOutcome.DONE };
    expect(created).toMatchObject({ ...by, action: "key.create", recordId: id });
    expect(signedIn).toMatchObject({ ...by, action: "user.sign_in", recordId: 1n });
    expect(Number(created?.at?.seconds) * 1000).toBe(START);
    const text = JSON.stringify(await events(), (_, value: unknown) =>
      typeof value === "bigint" ? String(value) : value,
    );
    expect(text).not.toContain(secret);
    expect(text).not.toContain(PASSWORD);
  });

  it("names nobody any more whom a command of the operator has deleted", async () => {
    const { id } = await test.auth.createCompanyUser({ email: "bob@example.com", role: "member" }, { token });
    await test.auth.updateCompanyUser({ id, role: "admin", lastName: "Quokka" }, { token });
    await test.admin.deleteUser({ email: "bob@example.com" });
    const text = JSON.stringify(await events(), (_, value: unknown) =>
      typeof value === "bigint" ? String(value) : value,
    );
    expect(text).not.toMatch(/bob@example|Quokka/);
    expect((await actions()).slice(0, 3)).toEqual(["user.delete", "user.update", "user.create"]);
    const [deleted, updated] = await events();
    expect(deleted).toMatchObject({ recordId: id, recordName: "" });
    expect(updated?.changes).toMatchObject([{ field: "role", fromJson: '"member"', toJson: '"admin"' }]);
    expect(updated?.email).toBe(EMAIL);
  });

  it("says from where, by which request, and what was changed of what", async () => {
    const from = { token, requestId: "r-7", clientAddress: "192.0.2.7" };
    const { id } = await test.auth.createCompanyUser({ email: "bob@example.com", role: "member" }, from);
    await test.auth.updateCompanyUser({ id, role: "viewer", firstName: "Bob" }, from);
    const { id: keyId } = await test.auth.createApiKey(KEY, from);
    await test.auth.deleteApiKey({ id: keyId }, from);
    const [deleted, made, updated] = await events();
    expect(updated).toMatchObject({
      ...{ action: "user.update", recordId: id, recordName: "bob@example.com" },
      ...{ requestId: "r-7", clientAddress: "192.0.2.7", email: EMAIL },
    });
    expect(updated?.changes).toMatchObject([
      { field: "first_name", fromJson: '""', toJson: '"Bob"' },
      { field: "role", fromJson: '"member"', toJson: '"viewer"' },
    ]);
    expect(made).toMatchObject({ action: "key.create", recordId: keyId });
    expect(made?.changes).toContainEqual(expect.objectContaining({ field: "scopes", toJson: '["exports"]' }));
    expect(deleted).toMatchObject({ action: "key.delete", recordName: "Dashboard" });
  });

  it("keeps the e-mail of then", async () => {
    await test.auth.updateCompanyUser({ id: 1n, email: "ann.lee@example.com" }, { token });
    const [updated, signedIn] = await events();
    expect([updated?.email, signedIn?.email]).toEqual([EMAIL, EMAIL]);
  });

  it("is searched by action, user and time", async () => {
    const { id, password } = await test.auth.createCompanyUser({ email: "bob@example.com" }, { token });
    await test.signIn("bob@example.com", password);
    test.clock.now += DAY_MS / 2;
    await test.auth.createApiKey(KEY, { token });
    const found = async (wanted: object) =>
      (await test.auth.listAuditEvents(wanted, { token })).events.map(({ action }) => action);
    expect(await found({ actions: ["key.create", "user.create"] })).toEqual([
      "key.create",
      "user.create",
      "user.create",
    ]);
    expect(await found({ userId: id })).toEqual(["user.sign_in"]);
    const noon = timestampFromMs(START + 1);
    expect(await found({ from: noon })).toEqual(["key.create"]);
    expect(await found({ to: noon, userId: 1n })).toEqual(["user.create", "user.sign_in"]);
    await expect(found({ actions: ["keys"] })).rejects.toMatchObject({ violations: [{ field: "actions[0]" }] });
  });

  it("records users, keys, sessions and commands, and nothing that was refused", async () => {
    const { id, password } = await test.auth.createCompanyUser({ email: "bob@example.com" }, { token });
    await test.auth.updateCompanyUser({ id, role: "viewer" }, { token });
    const bob = await test.signIn("bob@example.com", password);
    await expect(test.signIn("bob@example.com", "wrong")).rejects.toBeDefined();
    await expect(test.auth.createApiKey(KEY, { token: bob })).rejects.toBeDefined();
    await test.auth.changePassword({ currentPassword: password, password: PASSWORD }, { token: bob });
    await test.auth.signOut({}, { token: bob });
    await test.auth.deleteCompanyUser({ id }, { token });
    await expect(test.auth.deleteCompanyUser({ id }, { token })).rejects.toBeDefined();
    const { key } = await test.admin.issueApiKey({ company: "Acme", ...KEY });
    await test.admin.revokeApiKey({ id: key?.id ?? 0n });
    expect(await actions()).toEqual([
      ...["key.delete", "key.create", "user.delete", "user.sign_out", "user.change_password", "user.sign_in"],
      ...["user.update", "user.create", "user.sign_in", "user.create"],
    ]);
    const [revoked, , , signedOut] = await events();
    expect(revoked).toMatchObject({ userId: 0n, email: "", recordId: key?.id });
    expect(signedOut).toMatchObject({ userId: id, email: "bob@example.com" });
  });

  it("is of one company, page by page", async () => {
    await test.admin.createCompany({ name: "Other" });
    await test.admin.createUser({ email: "eve@example.com", company: "Other", password: PASSWORD });
    const eve = await test.signIn("eve@example.com");
    const first = await test.auth.listAuditEvents({ limit: 1 }, { token: eve });
    expect(first.events).toMatchObject([{ action: "user.sign_in", email: "eve@example.com" }]);
    const rest = await test.auth.listAuditEvents({ cursor: first.nextCursor }, { token: eve });
    expect(rest.events).toMatchObject([{ action: "user.create" }]);
    expect(await actions()).toEqual(["user.sign_in", "user.create"]);
  });

  it("is kept for a number of days", async () => {
    test.clock.now += 1.5 * DAY_MS;
    token = await test.signIn();
    expect(await actions()).toHaveLength(3);
    test.clock.now += DAY_MS;
    await test.parts.sweep();
    token = await test.signIn();
    expect(await actions()).toEqual(["user.sign_in", "user.sign_in"]);
  });

  it("says of what was cut off by a crash that it may have been done", async () => {
    const trail = new AuditTrail(test.store, () => test.clock.now);
    await trail.begin({ companyId: 1, action: "export.delete", by: { userId: 1, keyId: null }, recordId: 7 });
    expect((await events())[0]).toMatchObject({ action: "export.delete", outcome: AuditOutcome.UNKNOWN, recordId: 7n });
  });
});
