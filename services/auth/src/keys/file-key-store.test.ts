import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createLogger } from "@hourglass/runtime";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createFileKeyStore } from "./file-key-store.js";
import { KeyRing } from "./key-ring.js";

const NOW = Date.parse("2026-01-31T12:00:00Z");
let folder: string;
beforeEach(async () => {
  folder = path.join(await mkdtemp(path.join(tmpdir(), "hourglass-keys-")), "keys");
});
afterEach(() => rm(path.dirname(folder), { recursive: true, force: true }));

const openRing = (now = NOW) =>
  KeyRing.open({
    store: createFileKeyStore(folder),
    log: createLogger("silent"),
    tokenTtlSeconds: 60,
    now: () => now,
  });

describe("signing keys in files", () => {
  it("may be read by their owner only", async () => {
    const ring = await openRing();
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect((await stat(path.join(folder, `${ring.current().id}.pem`))).mode & 0o777).toBe(0o600);
  });

  it("leave nothing beside them", async () => {
    const ring = await openRing();
    expect(await readdir(folder)).toEqual([`${ring.current().id}.pem`]);
  });

  it("come to one current key when several processes start at once", async () => {
    const rings = await Promise.all([openRing(), openRing(), openRing()]);
    const settled = await Promise.all(rings.map(() => openRing(NOW + 10_000)));
    expect(new Set(settled.map((ring) => ring.current().id)).size).toBe(1);
    for (const ring of settled) {
      for (const first of rings) expect(ring.known(first.current().id)).toBeDefined();
    }
  });

  it("skip drafts, foreign and damaged files", async () => {
    const first = await openRing();
    await writeFile(path.join(folder, "20260131120000999-deadbeef.pem"), "-----BEGIN PRIVATE KEY-----\n");
    await writeFile(path.join(folder, "20260131120000999-deadbeef.pem.0a.tmp"), "half");
    await writeFile(path.join(folder, "backup.pem"), "x");
    const ring = await openRing(NOW + 10_000);
    expect(ring.list().map(({ id }) => id)).toEqual([first.current().id]);
  });

  it("keep growing ids when the clock was set back", async () => {
    const ring = await openRing();
    const before = ring.current().id;
    const later = await openRing(NOW - 3_600_000);
    const made = await later.rotate();
    expect(made > before).toBe(true);
  });

  it("fail as unavailable when the folder cannot be used", async () => {
    await writeFile(folder, "a file where the folder should be");
    await expect(openRing()).rejects.toMatchObject({ kind: "unavailable" });
  });
});
