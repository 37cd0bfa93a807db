import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openAuth, type TestAuth } from "../testing/open-auth.js";

let test: TestAuth;
beforeEach(async () => {
  test = await openAuth({ BOOTSTRAP_EMAIL: "First@example.com", BOOTSTRAP_COMPANY: "Acme" });
});
afterEach(() => test.close());

describe("bootstrap", () => {
  it("makes the first user with a password nobody can guess, and tells it once", async () => {
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
