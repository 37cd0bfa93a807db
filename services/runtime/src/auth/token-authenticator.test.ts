import { create } from "@bufbuild/protobuf";
import { GetUserResponseSchema, ListKeysResponseSchema } from "@hourglass/proto/auth/v1/auth_service";
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey } from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import { AppError } from "../errors/app-error.js";
import { createLogger } from "../log/logger.js";
import { createTokenAuthenticator } from "./token-authenticator.js";
import { unauthenticated } from "./token.js";

const pairs: Record<string, { privateKey: CryptoKey; publicKey: CryptoKey }> = {};
beforeAll(async () => {
  for (const id of ["old", "new", "stranger"]) pairs[id] = await generateKeyPair("ES256");
});

/** Auth as other services see it, with what it knows and how often it was asked. */
function subject() {
  const world = {
    now: Date.parse("2026-01-31T12:00:00Z"),
    keyIds: ["old"],
    failure: undefined as AppError | undefined,
    listed: 0,
    users: 0,
  };
  const authenticate = createTokenAuthenticator({
    log: createLogger("silent"),
    now: () => world.now,
    auth: {
      listKeys: async () => {
        world.listed += 1;
        if (world.failure !== undefined) throw world.failure;
        const keys = world.keyIds.map(async (id) => {
          const jwk = await exportJWK((pairs[id] as { publicKey: CryptoKey }).publicKey);
          return { id, jwkJson: JSON.stringify({ ...jwk, kid: id, alg: "ES256", use: "sig" }) };
        });
        return create(ListKeysResponseSchema, { keys: await Promise.all(keys) });
      },
      getUser: () => {
        world.users += 1;
        if (world.failure !== undefined) return Promise.reject(world.failure);
        const company = { id: 3n, name: "Acme", products: [{ uid: "api", active: true }] };
        const user = { id: 7n, email: "a@example.com", firstName: "A", lastName: "B", company };
        return Promise.resolve(create(GetUserResponseSchema, { user }));
      },
    },
  });
  const token = (kid: string) => {
    const { privateKey } = pairs[kid] as { privateKey: CryptoKey };
    const issuedAt = Math.floor(world.now / 1000);
    return new SignJWT({ ver: 1 })
      .setProtectedHeader({ alg: "ES256", kid, typ: "JWT" })
      .setIssuer("hourglass")
      .setAudience("hourglass")
      .setSubject("7")
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + 3600)
      .sign(privateKey);
  };
  return { world, authenticate, token };
}

describe("createTokenAuthenticator", () => {
  it("tells who a token belongs to", async () => {
    const { authenticate, token } = subject();
    await expect(authenticate(await token("old"))).resolves.toEqual({
      userId: 7,
      companyId: 3,
      companyName: "Acme",
      email: "a@example.com",
      firstName: "A",
      lastName: "B",
      products: [{ uid: "api", active: true }],
    });
  });

  it("asks for the user once a second and for keys once", async () => {
    const { world, authenticate, token } = subject();
    const bearer = await token("old");
    for (let i = 0; i < 5; i += 1) {
      await authenticate(bearer);
      world.now += 500;
    }
    expect(world).toMatchObject({ users: 3, listed: 1 });
  });

  it("does not trouble Auth with forged tokens", async () => {
    const { world, authenticate, token } = subject();
    await authenticate(await token("old"));
    const bearer = await token("old");
    const forged = `${bearer.slice(0, -20)}${"A".repeat(20)}`;
    await expect(authenticate(forged)).rejects.toMatchObject({ kind: "unauthenticated" });
    await expect(authenticate("garbage")).rejects.toMatchObject({ kind: "unauthenticated" });
    expect(world).toMatchObject({ users: 1, listed: 1 });
  });

  it("says of an expired token that it has expired", async () => {
    const { world, authenticate, token } = subject();
    const bearer = await token("old");
    world.now += 3_605_000;
    await expect(authenticate(bearer)).rejects.toMatchObject({ kind: "unauthenticated", code: "token_expired" });
    expect(world.users).toBe(0);
  });

  it("looks for new keys at most every two seconds, whatever tokens name", async () => {
    const { world, authenticate, token } = subject();
    for (let i = 0; i < 10; i += 1) {
      await expect(authenticate(await token("stranger"))).rejects.toMatchObject({ kind: "unauthenticated" });
      world.now += 1000;
    }
    expect(world.listed).toBe(5);
  });

  it("accepts tokens of a key that was made since", async () => {
    const { world, authenticate, token } = subject();
    await authenticate(await token("old"));
    world.keyIds = ["new", "old"];
    world.now += 2000;
    await expect(authenticate(await token("new"))).resolves.toMatchObject({ userId: 7 });
    await expect(authenticate(await token("old"))).resolves.toMatchObject({ userId: 7 });
  });

  it("refuses, within a second, the token of a user who is gone", async () => {
    const { world, authenticate, token } = subject();
    const bearer = await token("old");
    await authenticate(bearer);
    world.failure = unauthenticated();
    world.now += 1000;
    await expect(authenticate(bearer)).rejects.toMatchObject({ kind: "unauthenticated" });
  });

  it.each(["unavailable", "deadline", "internal"] as const)("is unavailable when Auth answers %s", async (kind) => {
    const { world, authenticate, token } = subject();
    world.failure = new AppError(kind, "secret detail");
    const bearer = await token("old");
    await expect(authenticate(bearer)).rejects.toMatchObject({ kind: "unavailable", retryAfterMs: 1000 });
    await expect(authenticate(bearer)).rejects.not.toThrow("secret detail");
    world.failure = undefined;
    await expect(authenticate(bearer)).resolves.toMatchObject({ userId: 7 });
  });
});
