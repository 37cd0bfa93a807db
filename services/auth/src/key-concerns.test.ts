import { afterEach, beforeEach, expect, it } from "vitest";
import { USERS } from "./accounts.js";
import { API_KEYS } from "./api-keys.js";
import { lookAtKeys } from "./key-concerns.js";
import { openAuth, START, type TestAuth } from "./testing/open-auth.js";

const DAY_MS = 24 * 60 * 60_000;

let test: TestAuth;
let token: string;
beforeEach(async () => {
  test = await openAuth();
  await test.populate();
  token = await test.signIn();
});
afterEach(() => test.close());

const create = async (name: string) => test.auth.createApiKey({ name, scopes: ["insights"] }, { token });
const change = async (id: bigint, set: object) =>
  (await test.store.collection(API_KEYS)).update({ id: Number(id) }, { set });
const concernsAt = async (now: number) =>
  (await lookAtKeys(test.store, now)).concerns.map(({ key, kind, at }) => [key.name, kind, at]);

it("has no concern about a new key, but about one that nobody used in a day", async () => {
  await create("Dashboard");
  expect(await lookAtKeys(test.store, START + DAY_MS / 2)).toEqual({ count: 1, concerns: [] });
  expect(await concernsAt(START + 2 * DAY_MS)).toEqual([["Dashboard", "unused", START]]);
});

it("tells of a key two weeks before it ends, and once it has ended", async () => {
  const { id } = await create("Dashboard");
  const end = START + 30 * DAY_MS;
  await change(id, { expires_at: end, last_used_at: START });
  expect(await concernsAt(end - 15 * DAY_MS)).toEqual([]);
  expect(await concernsAt(end - 13 * DAY_MS)).toEqual([["Dashboard", "ends", end]]);
  expect(await concernsAt(end + 1)).toEqual([["Dashboard", "ended", end]]);
});

it("tells of a key whose maker is deactivated", async () => {
  const { id } = await create("Dashboard");
  await change(id, { last_used_at: START });
  await (await test.store.collection(USERS)).update({}, { set: { active: false } });
  expect(await concernsAt(START)).toEqual([["Dashboard", "maker-gone", START]]);
});
