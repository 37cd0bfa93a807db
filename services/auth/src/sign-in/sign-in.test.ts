import { AppError } from "@hourglass/runtime";
import jwt from "jsonwebtoken";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { EMAIL, openAuth, PASSWORD, START, type TestAuth } from "../testing/open-auth.js";
import { USERS } from "../accounts/user.js";

let test: TestAuth;
beforeEach(async () => {
  test = await openAuth({ JWT_TTL_SECONDS: "600" });
  await test.populate();
});
afterEach(() => test.close());

const WRONG = "The e-mail or the password is wrong. Check both and try again.";

describe("sign-in", () => {
  it("gives the user and a token that names them", async () => {
    const { user, token, expiresAt } = await test.auth.signIn({ user: { email: EMAIL, password: PASSWORD } });
    expect(user).toMatchObject({
      id: 1n,
      email: EMAIL,
      firstName: "Ann",
      lastName: "Lee",
      company: {
        id: 1n,
        name: "Acme",
        products: [
          { uid: "api", active: true },
          { uid: "insight", active: true },
        ],
      },
    });
    const issuedAt = START / 1000;
    expect(jwt.decode(token)).toEqual({
      ...{ iss: "hourglass", aud: "hourglass", sub: "1", ver: 1 },
      ...{ iat: issuedAt, exp: issuedAt + 600 },
    });
    const [key] = (await test.auth.listKeys({})).keys;
    expect(jwt.decode(token, { complete: true })?.header).toEqual({ alg: "ES256", typ: "JWT", kid: key?.id });
    expect(Number(expiresAt?.seconds)).toBe(issuedAt + 600);
  });

  it("compares e-mails without case", async () => {
    await expect(test.signIn("ANN@Example.COM")).resolves.toBeDefined();
  });

  it("does the same work for an unknown e-mail as for a wrong password, and answers the same", async () => {
    const wrong = test.auth.signIn({ user: { email: EMAIL, password: "wrong" } });
    await expect(wrong).rejects.toMatchObject({ kind: "unauthenticated", message: WRONG });
    const unknown = test.auth.signIn({ user: { email: "nobody@example.com", password: "wrong" } });
    await expect(unknown).rejects.toMatchObject({ kind: "unauthenticated", message: WRONG });
    const parameters = test.argon2.verified.map((encoded) => encoded.split("$").slice(0, 4).join("$"));
    expect(parameters).toEqual(Array(2).fill("$argon2id$v=19$m=19456,t=2,p=1"));
    const lengths = test.argon2.verified.map((encoded) => encoded.length);
    expect(lengths[0]).toBe(lengths[1]);
  });

  it("renews a hash that was made with other parameters", async () => {
    const users = await test.store.collection(USERS);
    const [user] = await users.find({});
    const weak = (user?.password_hash ?? "").replace("m=19456", "m=4096");
    await users.update({ id: 1 }, { set: { password_hash: weak } });
    const token = await test.signIn();
    expect((await users.get(1))?.password_hash).toContain("m=19456");
    await expect(test.parts.authenticate(token)).resolves.toBeDefined();
  });

  it.each([
    "' OR 1=1 --",
    '{"$ne":null}',
    "\0",
    "ann@example.com\0",
    " ann@example.com",
    "\ud800",
    "%",
    "ann@example_com",
  ])("knows nobody by the e-mail %j", async (email) => {
    await expect(test.signIn(email)).rejects.toMatchObject({ kind: "unauthenticated" });
  });

  it.each([
    ["no user", {}],
    ["no e-mail", { user: { password: PASSWORD } }],
    ["no password", { user: { email: EMAIL } }],
    ["a password without end", { user: { email: EMAIL, password: "x".repeat(1025) } }],
  ])("refuses a request with %s before any work", async (_, request) => {
    await expect(test.auth.signIn(request)).rejects.toMatchObject({ kind: "invalid" });
    expect(test.argon2.verified).toEqual([]);
  });
});

describe("the sign-in limit", () => {
  it("counts successes too, before any work, and says when to come back", async () => {
    const limited = await test.beside({ SIGN_IN_ATTEMPTS_PER_MINUTE: "3" });
    for (let i = 0; i < 3; i += 1) await limited.signIn();
    test.clock.now += 20_000;
    const refused = { kind: "too-many", retryAfterMs: 40_000 };
    await expect(limited.signIn()).rejects.toMatchObject(refused);
    await expect(limited.signIn("Ann@example.com", "wrong")).rejects.toMatchObject(refused);
    expect(limited.argon2.verified).toHaveLength(3);
    test.clock.now += 40_000;
    await expect(limited.signIn()).resolves.toBeDefined();
  });

  it("holds for one address over all e-mails", async () => {
    const limited = await test.beside({ SIGN_IN_ATTEMPTS_PER_MINUTE: "3" });
    const attempt = (email: string, clientAddress: string) =>
      limited.auth.signIn({ user: { email, password: "wrong" }, clientAddress });
    for (const email of ["a@x.org", "b@x.org", "c@x.org"]) {
      await expect(attempt(email, "192.0.2.1")).rejects.toMatchObject({ kind: "unauthenticated" });
    }
    await expect(attempt("d@x.org", "192.0.2.1")).rejects.toMatchObject({ kind: "too-many" });
    await expect(attempt("d@x.org", "192.0.2.2")).rejects.toMatchObject({ kind: "unauthenticated" });
  });

  it("keeps the owner of an e-mail out neither by a stranger's thousand wrong passwords nor by those of hundreds", async () => {
    const limited = await test.beside({ SIGN_IN_ATTEMPTS_PER_MINUTE: "10" });
    const attempt = (clientAddress: string, password = "wrong") =>
      limited.auth.signIn({ user: { email: EMAIL, password }, clientAddress });
    const kinds = await Promise.all(
      Array.from({ length: 1000 }, () => attempt("192.0.2.1").catch((error: unknown) => AppError.from(error).kind)),
    );
    expect(kinds.filter((kind) => kind === "unauthenticated")).toHaveLength(10);
    expect(kinds.filter((kind) => kind === "too-many")).toHaveLength(990);
    await expect(attempt("198.51.100.1", PASSWORD)).resolves.toBeDefined();
    const strangers = Promise.allSettled(Array.from({ length: 300 }, (_, i) => attempt(`10.0.${i >> 8}.${i & 255}`)));
    await expect(attempt("198.51.100.1", PASSWORD)).resolves.toBeDefined();
    expect((await strangers).filter(({ status }) => status === "fulfilled")).toEqual([]);
  });
});
