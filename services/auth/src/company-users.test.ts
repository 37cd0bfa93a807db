import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { USERS } from "./accounts.js";
import { EMAIL, openAuth, PASSWORD, type TestAuth } from "./testing/open-auth.js";

const BOB = "bob@example.com";
const REFUSED = { kind: "unauthenticated" };
const LAST_ADMIN = { kind: "precondition", code: "last_admin" };

let test: TestAuth;
let ann: string;

beforeEach(async () => {
  test = await openAuth();
  await test.populate();
  ann = await test.signIn();
});
afterEach(() => test.close());

const createBob = (role = "") => test.auth.createCompanyUser({ email: BOB, firstName: "Bob", role }, { token: ann });
const update = (request: { id: bigint; role?: string; active?: boolean; email?: string }, token = ann) =>
  test.auth.updateCompanyUser(request, { token });

describe("a user that an admin creates", () => {
  it("is a member, and signs in with the password that is shown once", async () => {
    const { id, user, password } = await createBob();
    expect(user).toMatchObject({ id, email: BOB, firstName: "Bob", role: "member", inactive: false });
    const token = await test.signIn(BOB, password);
    await expect(test.parts.authenticate(token)).resolves.toMatchObject({ userId: Number(id), role: "member" });
    const { users } = await test.auth.listCompanyUsers({}, { token: ann });
    expect(users).toMatchObject([
      { id, role: "member" },
      { id: 1n, email: EMAIL, role: "admin" },
    ]);
  });

  it("has an e-mail that nobody has, whatever its company", async () => {
    await createBob();
    const taken = { kind: "conflict", code: "already_exists", violations: [{ field: "email" }] };
    await expect(createBob()).rejects.toMatchObject(taken);
    await expect(update({ id: 1n, email: BOB.toUpperCase() })).rejects.toMatchObject(taken);
  });
});

describe("a role", () => {
  it("is admin for users of before", async () => {
    const users = await test.store.collection(USERS);
    const [{ role: _, active: __, ...before } = { id: 0 }] = await users.find({ id: 1 });
    await users.put(before as never);
    await expect(test.parts.authenticate(ann)).resolves.toMatchObject({ role: "admin" });
  });

  it("applies to tokens that exist already", async () => {
    const { id, password } = await createBob("admin");
    const bob = await test.signIn(BOB, password);
    await update({ id, role: "viewer" });
    await expect(test.parts.authenticate(bob)).resolves.toMatchObject({ role: "viewer" });
    await expect(test.auth.listCompanyUsers({}, { token: bob })).rejects.toMatchObject({ code: "admin_needed" });
    const key = { name: "x", scopes: ["exports"] };
    await expect(test.auth.createApiKey(key, { token: bob })).rejects.toMatchObject({ code: "read_only_role" });
    await expect(test.auth.listApiKeys({}, { token: bob })).resolves.toBeDefined();
    await update({ id, role: "member" });
    await expect(test.auth.createApiKey(key, { token: bob })).resolves.toBeDefined();
    await expect(update({ id, role: "admin" }, bob)).rejects.toMatchObject({ code: "admin_needed" });
  });

  it("is one of three", async () => {
    await expect(update({ id: 1n, role: "owner" })).rejects.toMatchObject({ violations: [{ field: "role" }] });
    await expect(createBob("owner")).rejects.toMatchObject({ violations: [{ field: "role" }] });
  });

  it("is set by the operator's command too", async () => {
    await createBob();
    await expect(test.admin.setRole({ email: EMAIL, role: "member" })).rejects.toMatchObject(LAST_ADMIN);
    expect((await test.admin.setRole({ email: BOB, role: "admin" })).user).toMatchObject({ role: "admin" });
    await test.admin.setRole({ email: EMAIL, role: "viewer" });
    await expect(test.parts.authenticate(ann)).resolves.toMatchObject({ role: "viewer" });
  });
});

describe("the last admin", () => {
  it("is neither demoted, made inactive nor deleted", async () => {
    await createBob();
    await expect(update({ id: 1n, role: "member" })).rejects.toMatchObject(LAST_ADMIN);
    await expect(update({ id: 1n, active: false })).rejects.toMatchObject(LAST_ADMIN);
    await expect(test.auth.deleteCompanyUser({ id: 1n }, { token: ann })).rejects.toMatchObject(LAST_ADMIN);
    await expect(update({ id: 1n, role: "admin", active: true })).resolves.toBeDefined();
  });

  it("is not one of many inactive ones", async () => {
    const { id } = await createBob("admin");
    await update({ id, active: false });
    await expect(update({ id: 1n, role: "member" })).rejects.toMatchObject(LAST_ADMIN);
  });

  it("remains when two remove each other at the same time", async () => {
    const { id, password } = await createBob("admin");
    const bob = await test.signIn(BOB, password);
    const beside = await test.beside();
    const removals = await Promise.allSettled([
      test.auth.deleteCompanyUser({ id }, { token: ann }),
      beside.auth.updateCompanyUser({ id: 1n, role: "viewer" }, { token: bob }),
    ]);
    expect(removals.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });
});

describe("an inactive user", () => {
  it("loses all sessions, for good, and signs in again once active", async () => {
    const { id, password } = await createBob();
    const bob = await test.signIn(BOB, password);
    await update({ id, active: false });
    await expect(test.parts.authenticate(bob)).rejects.toMatchObject(REFUSED);
    await expect(test.signIn(BOB, password)).rejects.toMatchObject({ ...REFUSED, code: "wrong_credentials" });
    await update({ id, active: true });
    await expect(test.parts.authenticate(bob)).rejects.toMatchObject(REFUSED);
    await expect(test.signIn(BOB, password)).resolves.toBeDefined();
  });
});

describe("users of other companies", () => {
  it("are neither listed, changed nor deleted", async () => {
    const { id } = await createBob();
    await test.admin.createCompany({ name: "Other" });
    await test.admin.createUser({ email: "eve@example.com", company: "Other", password: PASSWORD });
    const eve = await test.signIn("eve@example.com");
    expect((await test.auth.listCompanyUsers({}, { token: eve })).users).toMatchObject([{ email: "eve@example.com" }]);
    await expect(update({ id, active: false }, eve)).rejects.toMatchObject({ kind: "not-found" });
    await expect(test.auth.deleteCompanyUser({ id }, { token: eve })).rejects.toMatchObject({ kind: "not-found" });
    await expect(test.auth.deleteCompanyUser({ id }, { token: ann })).resolves.toBeDefined();
    await expect(test.auth.deleteCompanyUser({ id }, { token: ann })).rejects.toMatchObject({ kind: "not-found" });
  });
});
