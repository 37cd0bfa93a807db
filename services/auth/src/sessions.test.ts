import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ENDED_SESSIONS } from "./sessions.js";
import { EMAIL, openAuth, PASSWORD, START, type TestAuth } from "./testing/open-auth.js";

const REFUSED = { kind: "unauthenticated" };
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const OTHER_PASSWORD = "another long passphrase";

let test: TestAuth;
beforeEach(async () => {
  test = await openAuth({ SESSION_DAYS: "3" });
  await test.populate();
});
afterEach(() => test.close());

const expectValid = (token: string) => expect(test.parts.authenticate(token)).resolves.toMatchObject({ userId: 1 });
const expectEnded = (token: string) => expect(test.parts.authenticate(token)).rejects.toMatchObject(REFUSED);
const expectLeft = async (count: number) =>
  expect(await (await test.store.collection(ENDED_SESSIONS)).count({})).toBe(count);

describe("signing out", () => {
  it("ends the session with all its tokens, in every process, and no other session", async () => {
    const [first, other] = [await test.signIn(), await test.signIn()];
    const { token: renewed } = await test.auth.renewToken({}, { token: first });
    await test.auth.signOut({}, { token: renewed });
    await expectEnded(first);
    await expectEnded(renewed);
    await expectValid(other);
    await expect((await test.beside()).parts.authenticate(first)).rejects.toMatchObject(REFUSED);
    await expect(test.auth.signOut({}, { token: first })).rejects.toMatchObject(REFUSED);
  });

  it("is remembered until no token of the session can be valid", async () => {
    await test.auth.signOut({}, { token: await test.signIn() });
    test.clock.now += 3 * DAY_MS;
    await test.parts.sweep();
    await expectLeft(1);
    test.clock.now += 10_000;
    await test.parts.sweep();
    await expectLeft(0);
  });
});

describe("a session", () => {
  it("is renewed for some days after signing in", async () => {
    const lifetimeOf = async (token: string) => {
      const { expiresAt } = await test.auth.getUser({}, { token });
      return Number(expiresAt?.seconds) * 1000 - START;
    };
    let token = await test.signIn();
    expect(await lifetimeOf(token)).toBe(DAY_MS);
    for (const [waitedHours, hoursInAll] of [
      [22, 46],
      [22, 68],
      [22, 72],
    ] as const) {
      test.clock.now += waitedHours * HOUR_MS;
      ({ token } = await test.auth.renewToken({}, { token }));
      expect(await lifetimeOf(token)).toBe(hoursInAll * HOUR_MS);
    }
    test.clock.now += 6 * HOUR_MS;
    await expect(test.auth.renewToken({}, { token })).rejects.toMatchObject({
      kind: "forbidden",
      code: "session_over",
    });
    test.clock.now += 5000;
    await expectEnded(token);
  });
});

describe("changing the password", () => {
  const change = (token: string, currentPassword = PASSWORD, password = OTHER_PASSWORD, clientAddress = "") =>
    test.auth.changePassword({ currentPassword, password, clientAddress }, { token });

  it("ends all other sessions, and keeps the own one, again and again", async () => {
    const [first, second] = [await test.signIn(), await test.signIn()];
    await change(first);
    await expectValid(first);
    await expectEnded(second);
    await expect(test.signIn()).rejects.toMatchObject(REFUSED);
    const third = await test.signIn(EMAIL, OTHER_PASSWORD);
    const { token: renewed } = await test.auth.renewToken({}, { token: first });
    await change(renewed, OTHER_PASSWORD, PASSWORD);
    await expectValid(renewed);
    await expectEnded(third);
    await change(renewed, PASSWORD, OTHER_PASSWORD);
    await expectValid(renewed);
    await test.admin.setPassword({ email: EMAIL, password: PASSWORD });
    await expectEnded(renewed);
  });

  it("needs the current password, and names the field otherwise", async () => {
    const token = await test.signIn();
    await expect(change(token, "wrong")).rejects.toMatchObject({
      kind: "invalid",
      violations: [{ field: "current_password" }],
    });
    await expect(change(token, "", "short")).rejects.toMatchObject({
      kind: "invalid",
      violations: [{ field: "current_password" }, { field: "password" }],
    });
    await expectValid(token);
  });

  it("is limited like signing in", async () => {
    const limited = await test.beside({ SIGN_IN_ATTEMPTS_PER_MINUTE: "3" });
    const token = await test.signIn();
    const attempt = (currentPassword: string) =>
      limited.auth.changePassword({ currentPassword, password: OTHER_PASSWORD, clientAddress: "192.0.2.1" }, { token });
    for (let i = 0; i < 3; i += 1) await expect(attempt("wrong")).rejects.toMatchObject({ kind: "invalid" });
    await expect(attempt(PASSWORD)).rejects.toMatchObject({ kind: "too-many", code: "too_many_sign_in_attempts" });
    test.clock.now += 60_000;
    await expect(attempt(PASSWORD)).resolves.toBeDefined();
  });
});
