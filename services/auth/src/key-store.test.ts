import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createLogger, openSqliteStore, type Store } from "@hourglass/runtime";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FileKeyStore, RecordKeyStore, reencryptKeys } from "./key-store.js";
import { KeyRing } from "./signing-keys.js";

const NOW = Date.parse("2026-01-31T12:00:00Z");
const PASSPHRASE = "a passphrase of some length";
const log = createLogger("silent");
let dataDir: string;
let store: Store;

beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), "hourglass-keys-"));
  store = await openSqliteStore({ dataDir, log });
});
afterEach(async () => {
  await store.close();
  await rm(dataDir, { recursive: true, force: true });
});

const ringOptions = async (passphrase?: string, now = NOW) => ({
  store: await RecordKeyStore.open(store, passphrase),
  ...{ log, tokenTtlSeconds: 60, now: () => now },
});

const openRing = async (passphrase?: string, now = NOW) => KeyRing.open(await ringOptions(passphrase, now));

const records = async () => (await store.collection<{ id: string; pem: string }>({ name: "signing_keys" })).find({});

describe("signing keys in the store", () => {
  it("come to one current key when several replicas start at once, and each knows the others' first key", async () => {
    const rings = await Promise.all([openRing(), openRing(), openRing()]);
    const settled = await Promise.all(rings.map(() => openRing(undefined, NOW + 10_000)));
    expect(new Set(settled.map((ring) => ring.current().id)).size).toBe(1);
    for (const ring of settled) {
      for (const first of rings) expect(ring.known(first.current().id)).toBeDefined();
    }
  });

  it("are the same for a replica that starts later, encrypted or not", async () => {
    for (const passphrase of [undefined, PASSPHRASE]) {
      const ring = await openRing(passphrase);
      const other = await openRing(passphrase, NOW + 10_000);
      expect(other.current().id).toBe(ring.current().id);
      expect(other.list().map(({ publicJwk }) => publicJwk)).toEqual(ring.list().map(({ publicJwk }) => publicJwk));
    }
  });

  it("are removed for all", async () => {
    const keys = await RecordKeyStore.open(store, undefined);
    const ring = await openRing();
    await keys.remove(ring.current().id);
    expect(await keys.listIds()).toEqual([]);
    expect(await keys.read(ring.current().id)).toBeUndefined();
  });

  it("are kept encrypted when there is a passphrase", async () => {
    await openRing(PASSPHRASE);
    for (const { pem } of await records()) expect(pem).toMatch(/^-----BEGIN ENCRYPTED PRIVATE KEY-----/);
    expect(await records()).toHaveLength(1);
  });

  it("that were made before there was a passphrase stay valid, and the next one is encrypted", async () => {
    const before = await openRing();
    const ring = await openRing(PASSPHRASE, NOW + 10_000);
    expect(ring.current().id).toBe(before.current().id);
    await ring.rotate();
    expect((await records()).map(({ pem }) => pem.includes("ENCRYPTED"))).toEqual([false, true]);
  });

  it("cannot be read with another passphrase or none, and the failure names the setting", async () => {
    await openRing(PASSPHRASE);
    await expect(openRing("another passphrase entirely")).rejects.toThrow(
      /^SIGNING_KEY_PASSPHRASE is not the passphrase .*\.$/,
    );
    await expect(openRing()).rejects.toThrow(/^SIGNING_KEY_PASSPHRASE is not set, .*\.$/);
    expect(await records()).toHaveLength(1);
  });

  it("are read by a command only when it adds one, which then needs the passphrase", async () => {
    const first = (await openRing(PASSPHRASE)).current().id;
    await expect(KeyRing.lazy(await ringOptions()).rotate()).rejects.toThrow(/SIGNING_KEY_PASSPHRASE is not set/);
    expect((await KeyRing.lazy(await ringOptions(PASSPHRASE, NOW - 1000)).rotate()) > first).toBe(true);
  });

  it("get another passphrase while replicas run: tokens of before stay valid, and those with the new one sign", async () => {
    const next = "another passphrase entirely";
    const plain = (await openRing()).current().id;
    const running = await openRing(PASSPHRASE, NOW + 10_000);
    const newest = await running.rotate();
    expect(await reencryptKeys({ store, passphrase: PASSPHRASE, next })).toBe(2);
    expect(await reencryptKeys({ store, passphrase: PASSPHRASE, next })).toBe(0);
    for (const { pem } of await records()) expect(pem).toMatch(/^-----BEGIN ENCRYPTED PRIVATE KEY-----/);

    const restarted = await openRing(next, NOW + 20_000);
    for (const id of [plain, newest]) {
      expect(await running.find(id)).toBeDefined();
      expect(restarted.known(id)?.equals(running.known(id)!)).toBe(true);
    }
    await expect(openRing(PASSPHRASE)).rejects.toThrow(/^SIGNING_KEY_PASSPHRASE is not the passphrase/);
    const signed = await restarted.rotate();
    expect((await openRing(next, NOW + 40_000)).current().id).toBe(signed);
  });

  it("keep their passphrase where the old one is not given", async () => {
    await openRing(PASSPHRASE);
    const before = await records();
    const wrong = { store, passphrase: "a passphrase that is wrong", next: "another passphrase entirely" };
    await expect(reencryptKeys(wrong)).rejects.toThrow(/^SIGNING_KEY_PASSPHRASE is not the passphrase/);
    expect(await records()).toEqual(before);
  });

  it("skip damaged ones", async () => {
    const ring = await openRing();
    const collection = await store.collection<{ id: string; pem: string }>({ name: "signing_keys" });
    await collection.insert({ id: "20260131120000999-deadbeef", pem: "-----BEGIN PRIVATE KEY-----\n" });
    await collection.insert({ id: "backup", pem: "x" });
    expect((await openRing(undefined, NOW + 10_000)).list().map(({ id }) => id)).toEqual([ring.current().id]);
  });

  it("fail as unavailable while the store is unavailable", async () => {
    const ring = await openRing();
    await store.close();
    await expect(ring.rotate()).rejects.toMatchObject({ kind: "unavailable" });
  });
});

describe("signing keys in files", () => {
  const folder = () => path.join(dataDir, "keys");

  const openFileRing = (now = NOW) =>
    KeyRing.open({
      store: new FileKeyStore(folder()),
      log: createLogger("silent"),
      tokenTtlSeconds: 60,
      now: () => now,
    });

  it("may be read by their owner only", async () => {
    const ring = await openFileRing();
    expect((await stat(folder())).mode & 0o777).toBe(0o700);
    expect((await stat(path.join(folder(), `${ring.current().id}.pem`))).mode & 0o777).toBe(0o600);
  });

  it("leave nothing beside them", async () => {
    const ring = await openFileRing();
    expect(await readdir(folder())).toEqual([`${ring.current().id}.pem`]);
  });

  it("come to one current key when several processes start at once", async () => {
    const rings = await Promise.all([openFileRing(), openFileRing(), openFileRing()]);
    const settled = await Promise.all(rings.map(() => openFileRing(NOW + 10_000)));
    expect(new Set(settled.map((ring) => ring.current().id)).size).toBe(1);
    for (const ring of settled) {
      for (const first of rings) expect(ring.known(first.current().id)).toBeDefined();
    }
  });

  it("skip drafts, foreign and damaged files", async () => {
    const first = await openFileRing();
    await writeFile(path.join(folder(), "20260131120000999-deadbeef.pem"), "-----BEGIN PRIVATE KEY-----\n");
    await writeFile(path.join(folder(), "20260131120000999-deadbeef.pem.0a.tmp"), "half");
    await writeFile(path.join(folder(), "backup.pem"), "x");
    const ring = await openFileRing(NOW + 10_000);
    expect(ring.list().map(({ id }) => id)).toEqual([first.current().id]);
  });

  it("keep growing ids when the clock was set back", async () => {
    const ring = await openFileRing();
    const before = ring.current().id;
    const later = await openFileRing(NOW - 3_600_000);
    const made = await later.rotate();
    expect(made > before).toBe(true);
  });

  it("fail as unavailable when the folder cannot be used", async () => {
    await writeFile(folder(), "a file where the folder should be");
    await expect(openFileRing()).rejects.toMatchObject({ kind: "unavailable" });
  });
});
