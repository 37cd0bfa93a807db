import { readFile, readdir, rm } from "node:fs/promises";
import path from "node:path";
import { IDEMPOTENCY_TTL_MS, prefixOfApiKey } from "@hourglass/runtime";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { USERS } from "./accounts.js";
import { API_KEY_ANSWERS, API_KEYS } from "./api-keys.js";
import { openAuth, type TestAuth } from "./testing/open-auth.js";
import { USER_ANSWERS } from "./user-creation.js";

const HOUR_MS = 3_600_000;
const KEY = { name: "Dashboard", scopes: ["insights"], idempotencyKey: "k" };
const BOB = { email: "bob@example.com", firstName: "Bob", idempotencyKey: "k" };
const REUSED = { code: "idempotency_key_reused", violations: [{ field: "idempotency_key" }] };

let test: TestAuth;
let ann: string;

beforeEach(async () => {
  test = await openAuth();
  await test.populate();
  ann = await test.signIn();
});
afterEach(() => test.close());

const createKey = (request: object = {}, { auth, token = ann }: { auth?: TestAuth["auth"]; token?: string } = {}) =>
  (auth ?? test.auth).createApiKey({ ...KEY, ...request }, { token });
const createUser = (request: object = {}, token = ann) =>
  test.auth.createCompanyUser({ ...BOB, ...request }, { token });

/** A response without what says that it is a repetition. */
const given = ({ replayed: _, ...answer }: object & { replayed: boolean }) => answer;

describe("a repeated creation of an API key", () => {
  it("answers the same key, which works, and makes no other one", async () => {
    const first = await createKey();
    expect(first.replayed).toBe(false);
    expect(prefixOfApiKey(first.secret)).toBe(first.key?.prefix);
    const again = await createKey();
    expect(again.replayed).toBe(true);
    expect(given(again)).toEqual(given(first));
    await expect(test.parts.authenticate(again.secret)).resolves.toMatchObject({ key: { id: Number(first.id) } });
    expect(await (await test.store.collection(API_KEYS)).count({})).toBe(1);
    expect((await createKey({ idempotencyKey: "other" })).secret).not.toBe(first.secret);
    expect((await createKey({ idempotencyKey: "" })).replayed).toBe(false);
  });

  it("answers the same in another process, and of several at once one makes it", async () => {
    const beside = await test.beside();
    const answers = await Promise.all([createKey(), createKey({}, { auth: beside.auth }), createKey()]);
    expect(new Set(answers.map(({ secret }) => secret)).size).toBe(1);
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(await (await test.store.collection(API_KEYS)).count({})).toBe(1);
  });

  it("answers what it was after the key was deleted, although that works no more", async () => {
    const first = await createKey();
    await test.auth.deleteApiKey({ id: first.id }, { token: ann });
    expect(given(await createKey())).toEqual(given(first));
    await expect(test.parts.authenticate(first.secret)).rejects.toMatchObject({ kind: "unauthenticated" });
  });

  it("is refused with another request, and nobody else learns the secret by it", async () => {
    const { secret } = await createKey();
    for (const other of [{ name: "Other" }, { scopes: ["exports"] }, { readOnly: true }]) {
      await expect(createKey(other)).rejects.toMatchObject(REUSED);
    }
    const { password } = await createUser({ role: "admin" });
    const bob = await test.signIn(BOB.email, password);
    const ofBob = await createKey({}, { token: bob });
    expect(ofBob).toMatchObject({ replayed: false, key: { createdBy: 2n } });
    expect(ofBob.secret).not.toBe(secret);
  });

  it("leaves a key free whose request was refused", async () => {
    await expect(createKey({ name: " " })).rejects.toMatchObject({ kind: "invalid" });
    expect((await createKey()).replayed).toBe(false);
  });

  it("finds nothing where the commit was not done, and all where only its answer was lost", async () => {
    const { store } = test;
    const commit = store.commit.bind(store);
    const lost = Promise.reject.bind(Promise, new Error("the process is gone"));
    store.commit = lost as never;
    await expect(createKey()).rejects.toBeDefined();
    store.commit = (async (steps: Parameters<typeof commit>[0]) => {
      await commit(steps);
      return lost();
    }) as never;
    await expect(createKey()).rejects.toBeDefined();
    store.commit = commit;
    const again = await createKey();
    expect(again.replayed).toBe(true);
    await expect(test.parts.authenticate(again.secret)).resolves.toBeDefined();
    expect(await (await store.collection(API_KEYS)).count({})).toBe(1);
  });

  it("outlasts a new signing key for a day, and then makes another key", async () => {
    const first = await createKey();
    await test.admin.rotateKeys({});
    test.clock.now += 23 * HOUR_MS;
    ann = await test.signIn();
    const beside = await test.beside();
    expect((await createKey({}, { auth: beside.auth })).secret).toBe(first.secret);
    test.clock.now += 2 * HOUR_MS;
    ann = await test.signIn();
    const later = await createKey();
    expect(later.replayed).toBe(false);
    expect(later.secret).not.toBe(first.secret);
  });
});

describe("a repeated creation of a user", () => {
  it("answers the same password, with which the user signs in, and makes no other user", async () => {
    const first = await createUser();
    const again = await createUser();
    expect([first.replayed, again.replayed]).toEqual([false, true]);
    expect(given(again)).toEqual(given(first));
    await expect(test.signIn(BOB.email, again.password)).resolves.toBeTypeOf("string");
    expect(await (await test.store.collection(USERS)).count({})).toBe(2);
    const taken = { kind: "conflict", code: "already_exists", violations: [{ field: "email" }] };
    await expect(createUser({ idempotencyKey: "other" })).rejects.toMatchObject(taken);
    await expect(createUser({ idempotencyKey: "" })).rejects.toMatchObject(taken);
    await expect(createUser({ firstName: "Rob" })).rejects.toMatchObject(REUSED);
  });

  it("answers what it was after the user was changed or deleted, and of several at once one is made", async () => {
    const answers = await Promise.all([createUser(), createUser(), createUser()]);
    expect(new Set(answers.map(({ password }) => password)).size).toBe(1);
    const [first] = answers;
    const id = first.id;
    await test.auth.updateCompanyUser({ id, role: "viewer" }, { token: ann });
    await test.auth.deleteCompanyUser({ id }, { token: ann });
    expect(given(await createUser())).toEqual(given(first));
    expect(await (await test.store.collection(USERS)).count({})).toBe(1);
  });
});

describe("what is kept to repeat an answer", () => {
  it("holds neither the secret nor what it can be made from without the signing key", async () => {
    const { secret } = await createKey();
    const { password } = await createUser();
    const kept = await Promise.all(
      [API_KEY_ANSWERS, USER_ANSWERS].map(async (kind) => (await test.store.collection(kind)).find({})),
    );
    expect(JSON.stringify(kept)).not.toContain(secret.slice(11, 37));
    expect(JSON.stringify(kept)).not.toContain(password);
    const names = await readdir(path.join(test.dataDir, "keys"));
    expect(names).toHaveLength(1);
    const pem = await readFile(path.join(test.dataDir, "keys", names[0] ?? ""), "utf8");
    expect(JSON.stringify(kept)).not.toContain(pem.split("\n")[1]);
  });

  it("is erased after a day, with the user of then", async () => {
    await createKey();
    await createUser();
    test.clock.now += IDEMPOTENCY_TTL_MS;
    await test.parts.sweep();
    for (const kind of [API_KEY_ANSWERS, USER_ANSWERS]) {
      expect(await (await test.store.collection(kind)).count({}), kind.name).toBe(0);
    }
  });

  it("can repeat nothing once the signing key was removed by hand", async () => {
    await createKey();
    await test.admin.rotateKeys({});
    test.clock.now += HOUR_MS;
    const keys = path.join(test.dataDir, "keys");
    const [oldest = ""] = (await readdir(keys)).sort();
    await rm(path.join(keys, oldest));
    const beside = await test.beside();
    ann = await beside.signIn();
    await expect(createKey({}, { auth: beside.auth })).rejects.toMatchObject(REUSED);
  });
});
