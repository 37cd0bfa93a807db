import { afterEach, beforeEach, describe, expect, it } from "vitest";
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

  it("has an e-mail that nobody of the company has", async () => {
    await createBob();
    const taken = { kind: "conflict", code: "already_exists", violations: [{ field: "email" }] };
    await expect(createBob()).rejects.toMatchObject(taken);
    await expect(update({ id: 1n, email: BOB.toUpperCase() })).rejects.toMatchObject(taken);
  });
});

describe("a change of what was read", () => {
  const read = async (id = 1n, token = ann) =>
    (await test.auth.getCompanyUser({ id }, { token })).user ?? expect.fail("there is no user");
  const ANOTHER = { kind: "precondition", code: "precondition_failed" };

  it("is made while the user is as it was, and no more after that", async () => {
    const { id } = await createBob();
    const { revision } = await read(id);
    const send = (change: object) =>
      test.auth.updateCompanyUser({ id, ifMatch: [revision], ...change }, { token: ann });
    const { user } = await send({ role: "viewer" });
    expect(user?.revision).toBe((await read(id)).revision);
    await expect(send({ role: "admin" })).rejects.toMatchObject(ANOTHER);
    await expect(test.auth.deleteCompanyUser({ id, ifMatch: [revision] }, { token: ann })).rejects.toMatchObject(
      ANOTHER,
    );
    expect(await read(id)).toMatchObject({ role: "viewer" });
    const ifMatch = ["another", user?.revision ?? ""];
    await expect(send({ role: "admin", ifMatch })).resolves.toMatchObject({ user: { role: "admin" } });
    const gone = { id, ifMatch: [(await read(id)).revision] };
    await expect(test.auth.deleteCompanyUser(gone, { token: ann })).resolves.toBeDefined();
  });

  it("of several at once is one", async () => {
    const { revision } = await read();
    const names = ["A", "B", "C", "D"];
    const calls = names.map((firstName) =>
      test.auth.updateCompanyUser({ id: 1n, firstName, ifMatch: [revision] }, { token: ann }),
    );
    const ended = await Promise.allSettled(calls);
    const won = ended.flatMap((each, index) => (each.status === "fulfilled" ? [names[index]] : []));
    expect(won).toEqual([(await read()).firstName]);
    for (const each of ended) if (each.status === "rejected") expect(each.reason).toMatchObject(ANOTHER);
  });

  it("needs what only admins read", async () => {
    const { id, password } = await createBob();
    const bob = await test.signIn(BOB, password);
    expect(await read(1n, bob)).toMatchObject({ revision: "" });
    expect(await read(id, bob)).toMatchObject({ revision: (await read(id)).revision });
  });
});

describe("a role", () => {
  it("applies to tokens that exist already", async () => {
    const { id, password } = await createBob("admin");
    const bob = await test.signIn(BOB, password);
    await update({ id, role: "viewer" });
    await expect(test.parts.authenticate(bob)).resolves.toMatchObject({ role: "viewer" });
    await expect(test.auth.listCompanyUsers({}, { token: bob })).rejects.toMatchObject({ code: "admin_needed" });
    const key = { name: "x", scopes: ["exports"] };
    await expect(test.auth.createApiKey(key, { token: bob })).rejects.toMatchObject({ code: "read_only_role" });
    await expect(test.auth.listApiKeys({}, { token: bob })).rejects.toMatchObject({ code: "read_only_role" });
    await update({ id, role: "member" });
    await expect(test.auth.listApiKeys({}, { token: bob })).resolves.toBeDefined();
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

describe("API keys of a user", () => {
  const withKey = async () => {
    const { id, password } = await createBob();
    const bob = await test.signIn(BOB, password);
    const { secret, id: keyId } = await test.auth.createApiKey({ name: "Bot", scopes: ["exports"] }, { token: bob });
    return { id, keyId, secret };
  };
  const owner = async (keyId: bigint) =>
    (await test.auth.listApiKeys({}, { token: ann })).keys.find(({ id }) => id === keyId)?.author;

  it("end with them, and the answer names them", async () => {
    const { id, keyId, secret } = await withKey();
    const { keysEnded } = await update({ id, active: false });
    expect(keysEnded).toMatchObject([{ id: keyId, name: "Bot" }]);
    await expect(test.parts.authenticate(secret)).rejects.toMatchObject(REFUSED);
    await update({ id, active: true });
    await expect(test.parts.authenticate(secret)).rejects.toMatchObject(REFUSED);
    expect((await test.auth.deleteCompanyUser({ id }, { token: ann })).keysEnded).toEqual([]);
  });

  it("end with a deletion, by the operator's command too", async () => {
    const { id, keyId, secret } = await withKey();
    expect((await test.auth.deleteCompanyUser({ id }, { token: ann })).keysEnded).toMatchObject([{ id: keyId }]);
    await expect(test.parts.authenticate(secret)).rejects.toMatchObject(REFUSED);
    const again = await withKey();
    expect((await test.admin.deleteUser({ email: BOB })).keysEnded).toMatchObject([{ id: again.keyId }]);
    await expect(test.parts.authenticate(again.secret)).rejects.toMatchObject(REFUSED);
  });

  it("are kept by the admin who asks for it", async () => {
    const { id, keyId, secret } = await withKey();
    const kept = await test.auth.updateCompanyUser({ id, active: false, keepKeys: true }, { token: ann });
    expect(kept.keysEnded).toEqual([]);
    await expect(test.parts.authenticate(secret)).resolves.toMatchObject({ userId: 1, role: "member" });
    expect(await owner(keyId)).toMatchObject({ userId: 1n, name: "Ann Lee" });
  });

  it("may never more than they may now", async () => {
    const { id, secret } = await withKey();
    await update({ id, role: "viewer" });
    await expect(test.parts.authenticate(secret)).resolves.toMatchObject({ role: "viewer" });
    await update({ id, role: "admin" });
    await expect(test.parts.authenticate(secret)).resolves.toMatchObject({ role: "member" });
  });
});

describe("a user by their id", () => {
  it("is known whole to admins and themselves, and by name to the rest of the company", async () => {
    const { id, password } = await createBob("viewer");
    const bob = await test.signIn(BOB, password);
    const read = async (of: bigint, token: string) => (await test.auth.getCompanyUser({ id: of }, { token })).user;
    expect(await read(id, ann)).toMatchObject({ id, email: BOB, role: "viewer" });
    expect(await read(id, bob)).toMatchObject({ id, email: BOB, role: "viewer" });
    expect(await read(1n, bob)).toMatchObject({ id: 1n, firstName: "Ann", lastName: "Lee", email: "", role: "" });
    await expect(read(99n, ann)).rejects.toMatchObject({ kind: "not-found" });
  });
});

describe("e-mails", () => {
  it("are of one company alone: nobody learns of, or takes, those of another one", async () => {
    await test.admin.createCompany({ name: "Other" });
    const eve = { email: "eve@example.com", company: "Other", password: PASSWORD, role: "admin" };
    await test.admin.createUser(eve);
    const token = await test.signIn(eve.email);
    const { password } = await test.auth.createCompanyUser({ email: EMAIL.toUpperCase() }, { token });
    await expect(createBob()).resolves.toBeDefined();
    const companyOf = async (tried: string) =>
      (await test.auth.signIn({ user: { email: EMAIL, password: tried } })).user?.company?.name;
    expect([await companyOf(PASSWORD), await companyOf(password)]).toEqual(["Acme", "Other"]);
  });

  it("ask for the company only where the password is the same, too", async () => {
    await test.admin.createCompany({ name: "Other" });
    await test.admin.createUser({ email: EMAIL, company: "Other", password: PASSWORD });
    const needed = { kind: "invalid", code: "company_needed", violations: [{ field: "user.company" }] };
    await expect(test.signIn()).rejects.toMatchObject(needed);
    await expect(test.signIn(EMAIL, "wrong password")).rejects.toMatchObject(REFUSED);
    const signIn = (company: string) => test.auth.signIn({ user: { email: EMAIL, password: PASSWORD, company } });
    expect((await signIn(" Other ")).user?.company).toMatchObject({ name: "Other" });
    await expect(signIn("Nobody")).rejects.toMatchObject(REFUSED);
    const command = test.admin.setPassword({ email: EMAIL, password: "another password" });
    await expect(command).rejects.toMatchObject({ code: "company_needed", violations: [{ field: "company" }] });
    await test.admin.setPassword({ email: EMAIL, password: "another password", company: "Other" });
    await expect(test.signIn()).resolves.toBeDefined();
  });

  it("take the same work to check, whether or not another company has them", async () => {
    await test.admin.createCompany({ name: "Other" });
    await test.admin.createUser({ email: EMAIL, company: "Other", password: PASSWORD });
    for (const email of [EMAIL, "nobody@example.com", BOB]) {
      test.argon2.verified.length = 0;
      await expect(test.signIn(email, "wrong password")).rejects.toMatchObject(REFUSED);
      expect(test.argon2.verified).toHaveLength(2);
    }
  });

  it.each([
    ["info@müller.example", "info@xn--mller-kva.example"],
    ["用户@例子.example", "用户@xn--fsqu00a.example"],
    [" blanks@example.com\n", "blanks@example.com"],
  ])("may be in any script: %j", async (email, stored) => {
    const { user, password } = await test.auth.createCompanyUser({ email }, { token: ann });
    expect(user?.email).toBe(stored);
    await expect(test.signIn(email.toUpperCase(), password)).resolves.toBeDefined();
    await expect(test.signIn(` ${stored} `, password)).resolves.toBeDefined();
  });

  it.each([
    "a@b@c.example",
    "a b@example.com",
    "@example.com",
    "a@",
    "a@-x.example",
    "a@exa mple.com",
    "a\u200b@example.com",
  ])("are refused as %j", async (email) => {
    const refused = { kind: "invalid", violations: [{ field: "email" }] };
    await expect(test.auth.createCompanyUser({ email }, { token: ann })).rejects.toMatchObject(refused);
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
