import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { MIGRATIONS } from "@hourglass/runtime";
import { afterEach, beforeEach, expect, it } from "vitest";
import { freePort } from "../support/free-port.js";
import { Part, type LogEntry } from "../support/part.js";
import { TEST_SETTINGS } from "../support/server.js";

const ENTRY = fileURLToPath(new URL("../../services/standalone/dist/main.js", import.meta.url));

interface MigrationEntry extends LogEntry {
  owner?: string;
  version?: number;
  ms?: number;
}

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), "hourglass-migrations-"));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

/** Every migration of this release, in the order in which a service applies its own. */
const all = Object.entries(MIGRATIONS)
  .flatMap(([owner, newest]) => Array.from({ length: newest }, (_, index) => `${owner} ${index + 1}`))
  .sort();

it("a server logs the start and the end of each migration, and at its next start none", async () => {
  let entries: MigrationEntry[] = [];
  const port = String(await freePort());
  const env = { ...TEST_SETTINGS, DATA_DIR: dataDir, PORT: port, LOG_LEVEL: "info", LOG_FORMAT: "json" };
  const opsUrl = `http://127.0.0.1:${port}`;
  const server = new Part({ name: "product", entry: ENTRY, env, opsUrl, onLog: (entry) => entries.push(entry) });
  const named = (msg: string) =>
    entries.filter((entry) => entry.msg === msg).map(({ owner, version }) => `${owner} ${version}`);
  for (const expected of [all, []]) {
    entries = [];
    server.start();
    try {
      await server.ready();
      expect(named("a migration of the data begins").sort()).toEqual(expected);
      expect(named("migrated").sort()).toEqual(expected);
    } finally {
      await server.end("SIGTERM");
    }
  }
});
