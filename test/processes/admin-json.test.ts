import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createLogger, openEmbeddedQueue, openSqliteStore } from "@hourglass/runtime";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { png } from "../support/png.js";
import { runAdmin } from "./admin-command.js";

const log = createLogger("silent");
const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string;
const COUNT = expect.any(Number) as number;

let folder: string;
let dataDir: string;
const admin = (...args: string[]) => runAdmin({ DATA_DIR: dataDir, ADMIN_PASSWORD: "a password of mine" }, args);

/** Lets a job of exports die. */
async function killJob(): Promise<void> {
  const store = await openSqliteStore({ dataDir, log });
  const queue = await openEmbeddedQueue({ database: store.database, log });
  const die = () => Promise.resolve({ kind: "dead" as const, reason: "a\treason" });
  await queue.consume("export.run", { prefetch: 1 }, die);
  await queue.publish("export.run", new Uint8Array([8, 42]));
  await vi.waitFor(async () => expect(await queue.countDead("export.run")).toBe(1));
  await queue.close();
  await store.close();
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "hourglass-json-"));
  dataDir = path.join(folder, "data");
  const mark = path.join(folder, "mark.png");
  await writeFile(mark, png({ width: 64, height: 64 }));
  for (const line of [
    "company create --name Acme",
    "company create --name Gone",
    "company delete --name Gone --with-data --yes",
    "user create --email ann@example.com --company Acme --first-name Ann",
    "key create --company Acme --name Feed --scopes insights --read-only --expires 2999-01-01",
    `logo add --company Acme --name Globe --file ${mark}`,
  ]) {
    expect(await admin(...line.split(" "))).toMatchObject({ code: 0 });
  }
  await killJob();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What every command with --json prints here. */
const EXPECTED: Readonly<Record<string, { options?: string; prints: unknown }>> = {
  "company list": { prints: [{ id: 1, name: "Acme", products: ["api", "insight"] }] },
  "company erasures": {
    prints: [expect.objectContaining({ id: 2, begun_at: ISO, ended_at: ISO }) as object],
  },
  "user list": {
    prints: [
      {
        id: 1,
        email: "ann@example.com",
        company: "Acme",
        first_name: "Ann",
        last_name: "",
        role: "admin",
        active: true,
      },
    ],
  },
  "key list": {
    prints: [
      {
        id: 1,
        company_id: 1,
        name: "Feed",
        prefix: expect.stringMatching(/^hg_/) as string,
        scopes: ["insights"],
        read_only: true,
        expires_at: "2999-01-01T00:00:00.000Z",
        last_used_at: null,
      },
    ],
  },
  "face list": { options: "--company Acme", prints: [] },
  "logo list": { options: "--company Acme", prints: [expect.objectContaining({ name: "Globe" }) as object] },
  "jobs dead": {
    prints: [
      {
        id: expect.any(String) as string,
        queue: "export.run",
        deliveries: 1,
        died_at: ISO,
        reason: "a\treason",
        job: '{"exportId":"42"}',
      },
    ],
  },
  "platforms list": {
    prints: expect.arrayContaining([{ platform: "news", missing: null, searches: {} }]) as unknown[],
  },
  "platforms check": {
    prints: expect.arrayContaining([{ platform: "news", outcome: "needs no credentials", message: "" }]) as unknown[],
  },
  reanalyze: { options: "--company Acme --status", prints: [] },
  doctor: {
    prints: expect.arrayContaining([
      {
        verdict: "look",
        about: "queue export.run",
        found: expect.stringMatching(/1 dead/) as string,
        next: expect.stringMatching(/jobs dead --queue export\.run/) as string,
      },
    ]) as unknown[],
  },
  usage: {
    prints: expect.objectContaining({
      records: expect.arrayContaining([{ name: "users", documents: 1, bytes: COUNT }]) as unknown[],
      database: { bytes: COUNT, freeBytes: COUNT },
    }) as object,
  },
};

it.each(Object.entries(EXPECTED))("%s prints what it has found as JSON, on one line", async (name, expected) => {
  const { options = "", prints } = expected;
  const words = `${name} ${options} --json`.split(" ").filter((word) => word !== "");
  const { code, stdout, stderr } = await admin(...words);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout.split("\n")).toHaveLength(2);
  expect(JSON.parse(stdout)).toEqual(prints);
});

it("every command that explains --json is among them", async () => {
  const { stdout } = await admin("--help");
  const explained = [...stdout.matchAll(/^ {2}([a-z]+(?: [a-z-]+)?)(?= |$).*\[--json\]/gm)].map(([, name]) => name);
  expect(explained.sort()).toEqual(Object.keys(EXPECTED).sort());
});
