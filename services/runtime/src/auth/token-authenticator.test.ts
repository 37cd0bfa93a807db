import { generateKeyPairSync } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import { GetUserResponseSchema, ListKeysResponseSchema } from "@hourglass/proto/auth/v1/auth_service";
import { describe, expect, it } from "vitest";
import { AppError } from "../errors/app-error.js";
import { createLogger } from "../log/logger.js";
import { createTokenAuthenticator } from "./token-authenticator.js";
import { signed } from "./testing/forgeries.js";
import { unauthenticated } from "../tokens/token.js";

const newPair = () => generateKeyPairSync("ec", { namedCurve: "P-256" });
const pairs = new Map(["old", "new", "stranger"].map((id) => [id, newPair()]));

function pairOf(id: string): ReturnType<typeof newPair> {
  const pair = pairs.get(id);
  if (pair === undefined) throw new Error(`there is no key ${id}`);
  return pair;
}

/** A fake Auth service, its records, and the number of calls it received. */
function subject() {
  const world = {
    now: Date.parse("2026-01-31T12:00:00Z"),
    keyIds: ["old"],
    failure: undefined as AppError | undefined,
    listed: 0,
    users: 0,
    log: [] as string[],
  };
  const authenticate = createTokenAuthenticator({
    log: createLogger("warn", { write: (line) => world.log.push(line) }),
    now: () => world.now,
    auth: {
      listKeys: () => {
        world.listed += 1;
        if (world.failure !== undefined) return Promise.reject(world.failure);
        const keys = world.keyIds.map((id) => {
          const jwk = pairOf(id).publicKey.export({ format: "jwk" });
          return { id, jwkJson: JSON.stringify({ ...jwk, kid: id, alg: "ES256", use: "sig" }) };
        });
        return Promise.resolve(create(ListKeysResponseSchema, { keys }));
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
    const iat = Math.floor(world.now / 1000);
    const claims = { iss: "hourglass", aud: "hourglass", sub: "7", ver: 1, iat, exp: iat + 3600 };
    return signed(claims, { alg: "ES256", kid, typ: "JWT" }, pairOf(kid).privateKey);
  };
  return { world, authenticate, token };
}

describe("createTokenAuthenticator", () => {
  it("tells who a token belongs to", async () => {
    const { authenticate, token } = subject();
    await expect(authenticate(token("old"))).resolves.toEqual({
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
    const bearer = token("old");
    for (let i = 0; i < 5; i += 1) {
      await authenticate(bearer);
      world.now += 500;
    }
    expect(world).toMatchObject({ users: 3, listed: 1 });
  });

  it("does not trouble Auth with forged tokens", async () => {
    const { world, authenticate, token } = subject();
    await authenticate(token("old"));
    const bearer = token("old");
    const forged = `${bearer.slice(0, -20)}${"A".repeat(20)}`;
    await expect(authenticate(forged)).rejects.toMatchObject({ kind: "unauthenticated" });
    await expect(authenticate("garbage")).rejects.toMatchObject({ kind: "unauthenticated" });
    expect(world).toMatchObject({ users: 1, listed: 1 });
  });

  it("says of an expired token that it has expired", async () => {
    const { world, authenticate, token } = subject();
    const bearer = token("old");
    world.now += 3_605_000;
    await expect(authenticate(bearer)).rejects.toMatchObject({ kind: "unauthenticated", code: "token_expired" });
    expect(world.users).toBe(0);
  });

  it("looks for new keys at most every two seconds, whatever tokens name", async () => {
    const { world, authenticate, token } = subject();
    for (let i = 0; i < 10; i += 1) {
      await expect(authenticate(token("stranger"))).rejects.toMatchObject({ kind: "unauthenticated" });
      world.now += 1000;
    }
    expect(world.listed).toBe(5);
  });

  it("accepts tokens of a key that was made since", async () => {
    const { world, authenticate, token } = subject();
    await authenticate(token("old"));
    world.keyIds = ["new", "old"];
    world.now += 2000;
    await expect(authenticate(token("new"))).resolves.toMatchObject({ userId: 7 });
    await expect(authenticate(token("old"))).resolves.toMatchObject({ userId: 7 });
  });

  it("refuses, within a second, the token of a user who is gone", async () => {
    const { world, authenticate, token } = subject();
    const bearer = token("old");
    await authenticate(bearer);
    world.failure = unauthenticated();
    world.now += 1000;
    await expect(authenticate(bearer)).rejects.toMatchObject({ kind: "unauthenticated" });
  });

  it.each(["unavailable", "deadline", "internal"] as const)("is unavailable when Auth answers %s", async (kind) => {
    const { world, authenticate, token } = subject();
    world.failure = new AppError(kind, "secret detail");
    const bearer = token("old");
    await expect(authenticate(bearer)).rejects.toMatchObject({ kind: "unavailable", retryAfterMs: 1000 });
    await expect(authenticate(bearer)).rejects.not.toThrow("secret detail");
    world.failure = undefined;
    await expect(authenticate(bearer)).resolves.toMatchObject({ userId: 7 });
  });

  it.each([
    ["unavailable", false],
    ["deadline", false],
    ["internal", true],
  ] as const)("logs one line when Auth answers %s, with a stack: %s", async (kind, hasStack) => {
    const { world, authenticate, token } = subject();
    const failure = new AppError(kind, "The service is starting.");
    world.failure = failure;
    await expect(authenticate(token("old"))).rejects.toMatchObject({ kind: "unavailable" });
    expect(world.log).toHaveLength(1);
    expect(world.log[0]).toContain("The service is starting.");
    expect(world.log[0]?.includes("token-authenticator.test")).toBe(hasStack);
  });
});
