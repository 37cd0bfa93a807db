import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { EMAIL, openAuth, PASSWORD, type TestAuth } from "./testing/open-auth.js";

let test: TestAuth;
afterEach(() => test.close());

const openPopulated = async () => {
  test = await openAuth();
  await test.populate();
};

describe("companies", () => {
  beforeEach(openPopulated);

  it("list every product, active or not", async () => {
    const { company } = await test.admin.createCompany({ name: "Small", products: ["api"] });
    expect(company).toMatchObject({
      name: "Small",
      products: [
        { uid: "api", active: true },
        { uid: "insight", active: false },
      ],
    });
  });

  it.each(["Acme", " Acme "])("have their own name: %j is taken", async (name) => {
    await expect(test.admin.createCompany({ name })).rejects.toMatchObject({ kind: "conflict" });
  });

  it.each(["", "   ", "a\tb", "a\nb", "a\0b", "x".repeat(201)])("cannot be named %j", async (name) => {
    await expect(test.admin.createCompany({ name })).rejects.toMatchObject({ kind: "invalid" });
  });

  it("refuse products that do not exist", async () => {
    await expect(test.admin.createCompany({ name: "X", products: ["gold"] })).rejects.toMatchObject({
      kind: "invalid",
    });
    const change = { company: "Acme", uid: "gold", active: true };
    await expect(test.admin.setProduct(change)).rejects.toMatchObject({ kind: "invalid" });
  });

  it("switch one product and leave the other", async () => {
    const { company } = await test.admin.setProduct({ company: "Acme", uid: "insight", active: false });
    expect(company?.products).toMatchObject([
      { uid: "api", active: true },
      { uid: "insight", active: false },
    ]);
    const unknown = { company: "Nobody", uid: "api", active: true };
    await expect(test.admin.setProduct(unknown)).rejects.toMatchObject({ kind: "not-found" });
  });
});

describe("users", () => {
  beforeEach(openPopulated);

  it("are listed by id with their company", async () => {
    await test.admin.createUser({ email: "bob@example.com", company: "Acme", password: PASSWORD });
    expect((await test.admin.listUsers({})).users).toMatchObject([
      { id: 1n, email: EMAIL, company: { name: "Acme" } },
      { id: 2n, email: "bob@example.com", firstName: "", company: { name: "Acme" } },
    ]);
  });

  it("have their own e-mail, whatever its case", async () => {
    const twin = { email: "ANN@EXAMPLE.COM", company: "Acme", password: PASSWORD };
    await expect(test.admin.createUser(twin)).rejects.toMatchObject({ kind: "conflict" });
    const race = Array.from({ length: 5 }, () =>
      test.admin.createUser({ email: "race@example.com", company: "Acme", password: PASSWORD }).then(
        () => 1,
        () => 0,
      ),
    );
    expect((await Promise.all(race)).filter(Boolean)).toHaveLength(1);
  });

  it.each([
    ["an e-mail that is none", { email: "ann", company: "Acme", password: PASSWORD }],
    ["a short password", { email: "x@example.com", company: "Acme", password: "1234567" }],
    ["a name with a line break", { email: "x@example.com", company: "Acme", password: PASSWORD, firstName: "a\nb" }],
  ])("are not made with %s", async (_, user) => {
    await expect(test.admin.createUser(user)).rejects.toMatchObject({ kind: "invalid" });
  });

  it("need a company that exists", async () => {
    const user = { email: "x@example.com", company: "Nobody", password: PASSWORD };
    await expect(test.admin.createUser(user)).rejects.toMatchObject({ kind: "not-found" });
  });

  it("who do not exist can be neither changed nor deleted", async () => {
    const email = "nobody@example.com";
    await expect(test.admin.setPassword({ email, password: PASSWORD })).rejects.toMatchObject({ kind: "not-found" });
    await expect(test.admin.deleteUser({ email })).rejects.toMatchObject({ kind: "not-found" });
  });

  it("may type accents as their keyboard does", async () => {
    await test.admin.setPassword({ email: EMAIL, password: "pässwort1" });
    await expect(test.signIn(EMAIL, "pa\u0308sswort1")).resolves.toBeDefined();
  });
});

describe("bootstrap", () => {
  beforeEach(async () => {
    test = await openAuth({ BOOTSTRAP_EMAIL: "First@example.com", BOOTSTRAP_COMPANY: "Acme" });
  });

  it("writes the password of the first user to a file that only its owner can read", async () => {
    const made = await test.parts.bootstrap();
    expect(made?.file).toBe(path.join(test.dataDir, "first-password"));
    expect(await readFile(made!.file!, "utf8")).toBe(`${made!.password}\n`);
    expect((await stat(made!.file!)).mode & 0o777).toBe(0o600);
  });

  it("leaves one file with the password that counts when several processes start at once", async () => {
    const processes = [test, await test.beside(), await test.beside()];
    const made = await Promise.all(processes.map(({ parts }) => parts.bootstrap()));
    const names = (await readdir(test.dataDir)).filter((name) => name.startsWith("first-password"));
    expect(names).toEqual(["first-password"]);
    const { password } = made.find((user) => user !== undefined)!;
    expect(await readFile(path.join(test.dataDir, "first-password"), "utf8")).toBe(`${password}\n`);
  });

  it("makes the first user with a password nobody can guess", async () => {
    const made = await test.parts.bootstrap();
    expect(made).toMatchObject({ email: "First@example.com", generated: true });
    expect(made?.password).toMatch(/^([a-z2-9]{5}-){5}[a-z2-9]{5}$/);
    await expect(test.signIn("first@example.com", made?.password)).resolves.toBeDefined();
    await expect(test.parts.bootstrap()).resolves.toBeUndefined();
  });

  it("takes the password it is given", async () => {
    const given = await test.beside({ BOOTSTRAP_PASSWORD: "chosen by hand" });
    await expect(given.parts.bootstrap()).resolves.toEqual({
      email: "admin@example.com",
      password: "chosen by hand",
      generated: false,
      made: true,
    });
    await expect(given.signIn("admin@example.com", "chosen by hand")).resolves.toBeDefined();
  });

  it("knows the password at later starts as long as it is the one it is given", async () => {
    const given = await test.beside({ BOOTSTRAP_PASSWORD: "chosen by hand" });
    await given.parts.bootstrap();
    expect(given.warnings).toEqual([]);
    await expect(given.parts.bootstrap()).resolves.toMatchObject({ password: "chosen by hand", made: false });
    expect(given.warnings).toEqual([]);
    await given.admin.setPassword({ email: "admin@example.com", password: "another one of hers" });
    await expect(given.parts.bootstrap()).resolves.toBeUndefined();
    expect(given.warnings).toEqual([
      "BOOTSTRAP_PASSWORD is not the password of the first user: it counts at the first start only",
    ]);
  });

  it("says that it makes no user of another e-mail where there are users", async () => {
    await test.parts.bootstrap();
    const other = await test.beside({ BOOTSTRAP_EMAIL: "other@example.com", BOOTSTRAP_PASSWORD: "chosen by hand" });
    await expect(other.parts.bootstrap()).resolves.toBeUndefined();
    expect(other.warnings).toEqual([
      "BOOTSTRAP_EMAIL names no user: it counts at the first start only, and there are users already",
    ]);
    expect((await test.admin.listUsers({})).users).toHaveLength(1);
  });

  it("makes one user when several processes start at once", async () => {
    const processes = [test, await test.beside(), await test.beside()];
    const made = await Promise.all(processes.map(({ parts }) => parts.bootstrap()));
    expect(made.filter((user) => user !== undefined)).toHaveLength(1);
    expect((await test.admin.listUsers({})).users).toHaveLength(1);
    expect((await test.admin.listCompanies({})).companies).toHaveLength(1);
  });

  it("completes what a crash between company and user left", async () => {
    await test.admin.createCompany({ name: "Acme", products: ["api", "insight"] });
    await expect(test.parts.bootstrap()).resolves.toBeDefined();
    expect((await test.admin.listUsers({})).users).toMatchObject([{ company: { id: 1n, name: "Acme" } }]);
  });

  it("leaves a server alone that has users", async () => {
    await test.populate();
    await expect(test.parts.bootstrap()).resolves.toBeUndefined();
    expect((await test.admin.listUsers({})).users).toHaveLength(1);
  });

  it("activates both products", async () => {
    await test.parts.bootstrap();
    expect((await test.admin.listCompanies({})).companies).toMatchObject([
      {
        products: [
          { uid: "api", active: true },
          { uid: "insight", active: true },
        ],
      },
    ]);
  });
});
