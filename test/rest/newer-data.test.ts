import { createLogger, Lifecycle, openStorage, SCHEMA_VERSIONS, type StoreContents } from "@hourglass/runtime";
import { readStandaloneConfig, startStandalone } from "@hourglass/standalone";
import { afterEach, beforeEach, expect, it } from "vitest";
import { TEST_SETTINGS } from "../support/server.js";
import { openTestStorage, type TestStorage } from "../support/test-storage.js";

// A release refuses data that a newer one has migrated: it would misread it, and write over it.

let storage: TestStorage;
beforeEach(async () => {
  storage = await openTestStorage();
});
afterEach(() => storage.remove());

const configOf = () =>
  readStandaloneConfig({ ...TEST_SETTINGS, ...storage.env, PORT: "0", GRPC_PORT: "0", LOG_LEVEL: "silent" });

async function inLifecycle<T>(work: (lifecycle: Lifecycle) => Promise<T>): Promise<T> {
  const lifecycle = new Lifecycle(createLogger("silent"));
  try {
    return await work(lifecycle);
  } finally {
    await lifecycle.stop(5000);
  }
}

const startAndStop = () =>
  inLifecycle((lifecycle) => startStandalone({ config: configOf(), log: createLogger("silent"), lifecycle }));

const withContents = <T>(work: (contents: StoreContents) => Promise<T>) =>
  inLifecycle(async (lifecycle) => {
    const log = createLogger("silent");
    return work((await openStorage({ config: configOf(), log, lifecycle, parts: ["contents"] })).contents);
  });

it("a fresh database is of the first version, without a migration", async () => {
  await startAndStop();
  const { migrations } = await withContents((contents) => contents.readBooks());
  expect(migrations).toEqual([]);
  expect(new Set(Object.values(SCHEMA_VERSIONS))).toEqual(new Set([1]));
});

it.each([
  { owner: "insight", version: (SCHEMA_VERSIONS["insight"] ?? 1) + 1 },
  { owner: "weather", version: 2 },
])("a server refuses data with the migration $owner $version, of a newer release", async ({ owner, version }) => {
  await startAndStop();
  await withContents(async (contents) => {
    const books = await contents.readBooks();
    const migrations = [...books.migrations, { owner, version, at: "2027-01-01T00:00:00.000Z" }];
    await contents.writeBooks({ ...books, migrations });
  });
  await expect(startAndStop()).rejects.toThrow(`it has the migrations ${owner} ${version}, which this release`);
});
