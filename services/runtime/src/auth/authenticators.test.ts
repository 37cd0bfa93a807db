import { generateKeyPairSync, randomInt } from "node:crypto";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import type { ApiKeySchema } from "@hourglass/proto/auth/v1/api_key";
import { GetUserResponseSchema, ListKeysResponseSchema } from "@hourglass/proto/auth/v1/auth_service";
import { describe, expect, it } from "vitest";
import { AppError } from "../errors/app-error.js";
import { createLogger } from "../log.js";
import type { Principal } from "../rpc/service.js";
import { makeApiKey } from "./api-keys.js";
import { createTokenAuthenticator, createServiceAuthenticator, cachePrincipals } from "./authenticators.js";
import { signed, NOW, publicJwk, SECONDS, SERVICE_CLAIMS, SERVICE_HEADER } from "./testing/forgeries.js";
import { goodOfService, SERVICE_FORGERIES } from "./testing/service-forgeries.js";
import { keyExpired, unauthenticated } from "./tokens.js";

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
    /** What Auth says of the caller in addition. */
    caller: {} as { role?: string; key?: MessageInitShape<typeof ApiKeySchema>; expiresAt?: { seconds: bigint } },
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
        const { role = "admin", ...caller } = world.caller;
        const user = { id: 7n, email: "a@example.com", firstName: "A", lastName: "B", company, role };
        return Promise.resolve(create(GetUserResponseSchema, { user, ...caller }));
      },
    },
  });
  const token = (kid: string) => {
    const iat = Math.floor(world.now / 1000);
    const claims = {
      iss: "hourglass",
      aud: "hourglass",
      sub: "7",
      ver: 1,
      sid: "s-1",
      auth_time: iat,
      iat,
      exp: iat + 3600,
    };
    return signed(claims, { alg: "ES256", kid, typ: "JWT" }, pairOf(kid).privateKey);
  };
  return { world, authenticate, token };
}

describe("createTokenAuthenticator", () => {
  it("tells who a token belongs to", async () => {
    const { authenticate, token } = subject();
    await expect(authenticate(token("old"))).resolves.toEqual({
      userId: 7,
      role: "admin",
      companyId: 3,
      companyName: "Acme",
      email: "a@example.com",
      firstName: "A",
      lastName: "B",
      products: [{ uid: "api", active: true }],
    });
  });

  it("tells the role that Auth names; one that only a later Auth knows is the least", async () => {
    const { world, authenticate, token } = subject();
    const bearer = token("old");
    await expect(authenticate(bearer)).resolves.toMatchObject({ role: "admin" });
    world.now += 1000;
    world.caller = { role: "owner" };
    await expect(authenticate(bearer)).resolves.toMatchObject({ role: "viewer" });
  });

  it("asks Auth of an API key, once a second, and never of a mistyped one", async () => {
    const { world, authenticate } = subject();
    const { secret } = makeApiKey(randomInt);
    const key = { id: 5n, name: "Dashboard", scopes: ["exports"], readOnly: true };
    world.caller = { role: "viewer", key, expiresAt: { seconds: 1_800_000_000n } };
    for (let i = 0; i < 4; i += 1) {
      await expect(authenticate(secret)).resolves.toMatchObject({
        ...{ userId: 7, companyId: 3, role: "viewer", expiresAt: 1_800_000_000 },
        key: { ...key, id: 5 },
      });
      world.now += 500;
    }
    expect(world.users).toBe(2);
    for (const wrong of [`${secret.slice(0, -1)}!`, secret.slice(0, -1), `hg_${secret.slice(4)}0`]) {
      await expect(authenticate(wrong)).rejects.toMatchObject({ kind: "unauthenticated" });
    }
    expect(world).toMatchObject({ users: 2, listed: 0 });
    world.failure = keyExpired();
    world.now += 1000;
    await expect(authenticate(secret)).rejects.toMatchObject({ kind: "unauthenticated", code: "key_expired" });
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
    expect(world.log[0]?.includes("authenticators.test")).toBe(hasStack);
  });
});

/** A fake Auth service with the key that signs in these tests. */
function auth(failure?: AppError) {
  const keys = [{ id: "key-1", jwkJson: JSON.stringify({ ...publicJwk, alg: "ES256" }) }];
  return {
    listKeys: () =>
      failure === undefined ? Promise.resolve(create(ListKeysResponseSchema, { keys })) : Promise.reject(failure),
    getUser: () => Promise.reject(new Error("nobody asks for the user of a service's token")),
  };
}

const log = createLogger("silent");
const authenticate = createServiceAuthenticator({ auth: auth(), log, now: () => NOW });

describe("createServiceAuthenticator", () => {
  it("tells which service calls, and for which company", async () => {
    await expect(authenticate(goodOfService)).resolves.toEqual({ service: "operation", companyId: 3 });
  });

  it.each(SERVICE_FORGERIES)("refuses %s", async (_, token) => {
    await expect(authenticate(token)).rejects.toMatchObject({ kind: "unauthenticated", code: "unauthenticated" });
  });

  it("refuses a token when its few minutes are over", async () => {
    const expired = signed({ ...SERVICE_CLAIMS, iat: SECONDS - 300, exp: SECONDS - 6 }, SERVICE_HEADER);
    await expect(authenticate(expired)).rejects.toMatchObject({ kind: "unauthenticated" });
  });

  it("is unavailable while the keys cannot be read", async () => {
    const away = auth(new AppError("unavailable", "secret detail"));
    const call = createServiceAuthenticator({ auth: away, log, now: () => NOW })(goodOfService);
    await expect(call).rejects.toMatchObject({ kind: "unavailable", retryAfterMs: 1000 });
    await expect(call).rejects.not.toThrow("secret detail");
  });

  it("is the only one that takes such a token: none of a user's doors opens to it", async () => {
    const ofUsers = createTokenAuthenticator({ auth: auth(), log, now: () => NOW });
    await expect(ofUsers(goodOfService)).rejects.toMatchObject({ kind: "unauthenticated" });
  });
});

const somebody: Principal = {
  userId: 7,
  role: "admin",
  companyId: 3,
  companyName: "Acme",
  email: "a@example.com",
  firstName: "",
  lastName: "",
  products: [{ uid: "api", active: true }],
};

/** A cache whose questions and clock the test controls. */
function cacheOf(answer: (token: string) => Promise<Principal> = () => Promise.resolve(somebody)) {
  const world = { now: 1_000_000, asked: [] as string[] };
  const authenticate = cachePrincipals(
    (token) => {
      world.asked.push(token);
      return answer(token);
    },
    () => world.now,
  );
  return { world, authenticate };
}

describe("cachePrincipals", () => {
  it("asks once a second per token", async () => {
    const { world, authenticate } = cacheOf();
    await authenticate("a");
    world.now += 999;
    await expect(authenticate("a")).resolves.toBe(somebody);
    expect(world.asked).toEqual(["a"]);
    world.now += 1;
    await authenticate("a");
    expect(world.asked).toEqual(["a", "a"]);
  });

  it("asks once for callers that come together", async () => {
    const { world, authenticate } = cacheOf();
    await Promise.all([authenticate("a"), authenticate("a"), authenticate("b")]);
    expect(world.asked).toEqual(["a", "b"]);
  });

  it("counts the second from the question, so that a slow answer does not prolong an old state", async () => {
    const slow = deferred<Principal>();
    const { world, authenticate } = cacheOf(() => slow.promise);
    const first = authenticate("a");
    world.now += 1000;
    const second = authenticate("a");
    slow.resolve(somebody);
    await Promise.all([first, second]);
    expect(world.asked).toHaveLength(2);
  });

  it("remembers a refusal for a second", async () => {
    const { world, authenticate } = cacheOf(() => Promise.reject(unauthenticated()));
    await expect(authenticate("a")).rejects.toMatchObject({ kind: "unauthenticated" });
    await expect(authenticate("a")).rejects.toMatchObject({ kind: "unauthenticated" });
    expect(world.asked).toHaveLength(1);
    world.now += 1000;
    await expect(authenticate("a")).rejects.toMatchObject({ kind: "unauthenticated" });
    expect(world.asked).toHaveLength(2);
  });

  it("does not remember that nobody could tell", async () => {
    const { world, authenticate } = cacheOf(() => Promise.reject(new AppError("unavailable", "away")));
    await expect(authenticate("a")).rejects.toMatchObject({ kind: "unavailable" });
    await expect(authenticate("a")).rejects.toMatchObject({ kind: "unavailable" });
    expect(world.asked).toHaveLength(2);
  });

  it("refuses an empty token without asking", async () => {
    const { world, authenticate } = cacheOf();
    await expect(authenticate("")).rejects.toMatchObject({ kind: "unauthenticated" });
    expect(world.asked).toEqual([]);
  });

  it("asks again after the clock was set back", async () => {
    const { world, authenticate } = cacheOf();
    await authenticate("a");
    world.now -= 3_600_000;
    await authenticate("a");
    expect(world.asked).toHaveLength(2);
  });

  it("keeps good tokens through a flood of bad ones", async () => {
    const { world, authenticate } = cacheOf((token) =>
      token === "good" ? Promise.resolve(somebody) : Promise.reject(unauthenticated()),
    );
    await authenticate("good");
    for (let i = 0; i < 25_000; i += 1) await authenticate(`bad ${i}`).catch(() => undefined);
    world.asked.length = 0;
    await authenticate("good");
    expect(world.asked).toEqual([]);
  });
});

function deferred<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
