import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createServiceAuthenticator, createLogger } from "@hourglass/runtime";
import { EMAIL, openAuth, type TestAuth } from "../testing/open-auth.js";

const SECRET = "a secret of some length";

let test: TestAuth;
beforeEach(async () => {
  test = await openAuth({ SERVICE_SECRET: SECRET });
  await test.populate();
});
afterEach(() => test.close());

const wish = { service: "operation", companyId: 1n, secret: SECRET };

describe("IssueServiceToken", () => {
  it("gives a token that names service and company, good for five minutes", async () => {
    const { token, expiresInSeconds } = await test.auth.issueServiceToken(wish);
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
    expect((await test.auth.issueServiceToken(wish)).company).toMatchObject({
      id: 1n,
      products: [
        { uid: "api", active: true },
        { uid: "insight", active: false },
      ],
    });
  });

  it("outlives a new signing key, also where tokens of users last a second", async () => {
    const brief = await test.beside({ SERVICE_SECRET: SECRET, JWT_TTL_SECONDS: "1" });
    const { token } = await brief.auth.issueServiceToken(wish);
    await brief.admin.rotateKeys({});
    test.clock.now += 290_000;
    const { auth, clock } = brief;
    const authenticate = createServiceAuthenticator({ auth, log: createLogger("silent"), now: () => clock.now });
    await expect(authenticate(token)).resolves.toEqual({ service: "operation", companyId: 1 });
  });

  it.each(["", "a secret of some lengt", `${SECRET} `, SECRET.toUpperCase(), "x".repeat(1024)])(
    "refuses the secret %j",
    async (secret) => {
      await expect(test.auth.issueServiceToken({ ...wish, secret })).rejects.toMatchObject({
        kind: secret === "" ? "invalid" : "unauthenticated",
      });
    },
  );

  it("refuses every secret when the deployment has none", async () => {
    const other = await test.beside({});
    await expect(other.auth.issueServiceToken(wish)).rejects.toMatchObject({ kind: "unauthenticated" });
  });

  it("knows no company that is not there", async () => {
    await expect(test.auth.issueServiceToken({ ...wish, companyId: 9n })).rejects.toMatchObject({ kind: "not-found" });
  });

  it.each(["", "Operation", "7", "operation\n", "o".repeat(33)])("refuses the name %j", async (service) => {
    await expect(test.auth.issueServiceToken({ ...wish, service })).rejects.toMatchObject({ kind: "invalid" });
  });

  it("gives no token that opens what is a user's, nor the reverse", async () => {
    const { token } = await test.auth.issueServiceToken(wish);
    await expect(test.auth.getUser({}, { token })).rejects.toMatchObject({ kind: "unauthenticated" });
    const { auth, clock } = test;
    const authenticate = createServiceAuthenticator({ auth, log: createLogger("silent"), now: () => clock.now });
    await expect(authenticate(await test.signIn(EMAIL))).rejects.toMatchObject({ kind: "unauthenticated" });
  });
});
