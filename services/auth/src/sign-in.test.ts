import { AppError } from "@hourglass/runtime";
import jwt from "jsonwebtoken";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { EMAIL, openAuth, PASSWORD, START, type TestAuth } from "./testing/open-auth.js";
import { USERS } from "./accounts.js";
import { AttemptCounter, SignInThrottle, WaitingRoom } from "./sign-in.js";

let test: TestAuth;
const open = async () => {
  test = await openAuth({ JWT_TTL_SECONDS: "600" });
  await test.populate();
};
const close = () => test.close();

const WRONG = "The e-mail or the password is wrong. Check both and try again.";

describe("sign-in", () => {
  beforeEach(open);
  afterEach(close);

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
      ...{
        iat: issuedAt,
        exp: issuedAt + 600,
        auth_time: issuedAt,
        sid: expect.stringMatching(/^[\w-]{22}$/) as string,
      },
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

  it.each(["' OR 1=1 --", '{"$ne":null}', "\0", "ann@example.com\0", "\ud800", "%", "ann@example_com"])(
    "knows nobody by the e-mail %j",
    async (email) => {
      await expect(test.signIn(email)).rejects.toMatchObject({ kind: "unauthenticated" });
    },
  );

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
  beforeEach(open);
  afterEach(close);

  it("counts failures, refuses before any work, and says when to come back", async () => {
    const limited = await test.beside({ SIGN_IN_ATTEMPTS_PER_MINUTE: "3" });
    for (let i = 0; i < 3; i += 1) await expect(limited.signIn(EMAIL, "wrong")).rejects.toBeDefined();
    test.clock.now += 20_000;
    const refused = { kind: "too-many", retryAfterMs: 40_000 };
    await expect(limited.signIn()).rejects.toMatchObject(refused);
    await expect(limited.signIn("Ann@example.com", "wrong")).rejects.toMatchObject(refused);
    expect(limited.argon2.verified).toHaveLength(3);
    test.clock.now += 40_000;
    await expect(limited.signIn()).resolves.toBeDefined();
  });

  it("counts right passwords apart: 120 a minute of an address, and of an e-mail", async () => {
    const limited = await test.beside({ SIGN_IN_ATTEMPTS_PER_MINUTE: "3" });
    const attempt = (clientAddress: string, email = EMAIL) =>
      limited.auth.signIn({ user: { email, password: PASSWORD }, clientAddress });
    for (let i = 0; i < 120; i += 1) await attempt("192.0.2.1");
    await expect(attempt("192.0.2.1")).rejects.toMatchObject({ kind: "too-many", retryAfterMs: 60_000 });
    await expect(attempt("192.0.2.1", "other@example.com")).rejects.toMatchObject({ kind: "too-many" });
    await expect(attempt("192.0.2.2")).resolves.toBeDefined();
    test.clock.now += 60_000;
    await expect(attempt("192.0.2.1")).resolves.toBeDefined();
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

const OWNER = "owner@example.com";

/** Whether the second address is limited by an attempt from the first. */
function countAsOne(first: string, second: string): boolean {
  const throttle = new SignInThrottle(1);
  throttle.admit("a@example.com", first);
  return isRefused(() => throttle.admit("b@example.com", second));
}

function isRefused(admit: () => number): boolean {
  try {
    admit();
    return false;
  } catch (error) {
    expect(error).toMatchObject({ kind: "too-many", code: "too_many_sign_in_attempts" });
    return true;
  }
}

describe("SignInThrottle", () => {
  it.each([
    ["192.0.2.1", "192.0.2.1"],
    ["192.0.2.1", "::ffff:192.0.2.1"],
    ["2001:db8::1", "2001:db8::2"],
    ["2001:db8:0:0:1::", "2001:0db8::ffff:1"],
    ["::1", "0:0:0:0:0:0:0:1"],
    ["fe80::1%eth0", "fe80::1"],
  ])("counts %s and %s as one client", (first, second) => {
    expect(countAsOne(first, second)).toBe(true);
  });

  it.each([
    ["192.0.2.1", "192.0.2.2"],
    ["2001:db8::1", "2001:db8:0:1::1"],
    ["", ""],
  ])("tells %j from %j", (first, second) => {
    expect(countAsOne(first, second)).toBe(false);
  });

  it("limits an e-mail where the address is not known", () => {
    const throttle = new SignInThrottle(2);
    const refused = Array.from({ length: 3 }, () => isRefused(() => throttle.admit(OWNER, "")));
    expect(refused).toEqual([false, false, true]);
  });

  it("limits one address with one e-mail over the ends of the address's own minutes", () => {
    const clock = { now: 1_000_000 };
    const throttle = new SignInThrottle(3, () => clock.now);
    const admit = (email: string) => isRefused(() => throttle.admit(email, "192.0.2.1"));
    admit("other@example.com");
    clock.now += 59_000;
    admit(OWNER);
    clock.now += 2000; // the address may try again, its pair with the e-mail may not
    expect([admit(OWNER), admit(OWNER), admit(OWNER)]).toEqual([false, false, true]);
  });

  it("refuses a stranger at one address after the limit, who costs the owner elsewhere one short delay", () => {
    const throttle = new SignInThrottle(10);
    const refused = Array.from({ length: 1000 }, () => isRefused(() => throttle.admit(OWNER, "192.0.2.1")));
    expect(refused.filter(Boolean)).toHaveLength(990);
    expect(throttle.admit(OWNER, "198.51.100.1")).toBe(250);
    expect(throttle.admit("other@example.com", "198.51.100.2")).toBe(0);
  });

  it("delays an e-mail that strangers at many addresses try, more and more up to a bound, and refuses nobody", () => {
    const clock = { now: 1_000_000 };
    const throttle = new SignInThrottle(3, () => clock.now);
    const delays = Array.from({ length: 1000 }, (_, i) => throttle.admit(OWNER, `10.0.${i >> 8}.${i & 255}`));
    expect(delays.slice(0, 9)).toEqual([0, 0, 0, 250, 500, 1000, 2000, 4000, 4000]);
    expect(Math.max(...delays)).toBe(4000);
    clock.now += 60_000;
    expect(throttle.admit(OWNER, "198.51.100.1")).toBe(0);
  });

  it("delays nobody because of right passwords", () => {
    const throttle = new SignInThrottle(3);
    const delays = Array.from({ length: 20 }, (_, i) => {
      const delay = throttle.admit(OWNER, `192.0.2.${i}`);
      throttle.succeeded(OWNER, `192.0.2.${i}`);
      return delay;
    });
    expect(new Set(delays)).toEqual(new Set([0]));
  });

  it("has no limit and no delay at 0", () => {
    const throttle = new SignInThrottle(0);
    const delays = Array.from({ length: 100 }, () => throttle.admit(OWNER, "192.0.2.1"));
    expect(new Set(delays)).toEqual(new Set([0]));
  });
});

function openCounter(keysMax?: number) {
  const clock = { now: 1_000_000 };
  return { clock, counter: new AttemptCounter(() => clock.now, keysMax) };
}

describe("AttemptCounter", () => {
  it("counts the attempts of each key per minute", () => {
    const { clock, counter } = openCounter();
    expect([counter.count("a"), counter.count("a")]).toEqual([
      { attempts: 1, endsInMs: 60_000 },
      { attempts: 2, endsInMs: 60_000 },
    ]);
    clock.now += 10_000;
    expect(counter.count("a")).toEqual({ attempts: 3, endsInMs: 50_000 });
    expect(counter.count("b")).toEqual({ attempts: 1, endsInMs: 60_000 });
    clock.now += 50_000;
    expect(counter.count("a")).toEqual({ attempts: 1, endsInMs: 60_000 });
  });

  it("forgets an attempt that is taken back, and never counts below none", () => {
    const { counter } = openCounter();
    counter.takeBack("a");
    counter.count("a");
    counter.takeBack("a");
    counter.takeBack("a");
    expect(counter.count("a").attempts).toBe(1);
  });

  it("displaces the oldest key when it is full, so that memory stays bounded", () => {
    const { clock, counter } = openCounter(3);
    for (const key of ["a", "b", "c", "d"]) {
      clock.now += 1;
      counter.count(key);
    }
    expect(counter.count("b").attempts).toBe(2);
    expect(counter.count("a").attempts).toBe(1);
  });

  it("does not block anybody for hours when the clock is set back", () => {
    const { clock, counter } = openCounter();
    counter.count("a");
    clock.now -= 3_600_000;
    expect(counter.count("a")).toEqual({ attempts: 1, endsInMs: 60_000 });
  });
});

/** Lets each caller wait for a second; returns the names of those that have been released. */
function fill(room: WaitingRoom, ...callers: string[]): string[] {
  const gone: string[] = [];
  for (const caller of callers) void room.wait(1000).then(() => gone.push(caller));
  return gone;
}

describe("WaitingRoom", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("delays everybody for the given time, and not at all for none", async () => {
    const room = new WaitingRoom(10);
    await room.wait(0);
    const gone = fill(room, "a", "b");
    await vi.advanceTimersByTimeAsync(999);
    expect(gone).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(gone).toEqual(["a", "b"]);
  });

  it("releases those who have waited longest when it is full", async () => {
    const gone = fill(new WaitingRoom(2), "a", "b", "c", "d");
    await vi.advanceTimersByTimeAsync(0);
    expect(gone).toEqual(["a", "b"]);
  });

  it("has a free place when somebody leaves, and fails for them with their reason", async () => {
    const room = new WaitingRoom(2);
    const leaving = new AbortController();
    const left = expect(room.wait(1000, leaving.signal)).rejects.toThrow("left");
    const gone = fill(room, "a");
    leaving.abort(new Error("left"));
    await left;
    void room.wait(1000);
    await vi.advanceTimersByTimeAsync(0);
    expect(gone).toEqual([]);
    await expect(room.wait(1000, AbortSignal.abort(new Error("gone before")))).rejects.toThrow("gone before");
  });

  it("releases everybody when it is emptied", async () => {
    const room = new WaitingRoom(10);
    const gone = fill(room, "a", "b");
    room.empty();
    await vi.advanceTimersByTimeAsync(0);
    expect(gone).toEqual(["a", "b"]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
