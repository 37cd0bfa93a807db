import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import {
  createLogger,
  declared,
  NO_MEASUREMENTS,
  openSqliteStore,
  openFileBlobs,
  type Reading,
  startStorageGauges,
} from "@hourglass/runtime";
import { expect, it, onTestFinished, vi } from "vitest";

const NOBODYS = { because: "this is a test" };

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

it("reports what the process owns, in records and files, and the whole database", async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), "hourglass-gauges-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const log = createLogger("silent");
  const store = await openSqliteStore({ dataDir, log });
  onTestFinished(() => store.close());
  const blobs = await openFileBlobs({ folder: path.join(dataDir, "files") });
  await (await store.collection({ name: "mine" })).insertMany([{ id: 1 }, { id: 2 }]);
  await (await store.collection({ name: "theirs" })).insert({ id: 1 });
  await blobs.put("pictures/1", once("12345"));
  await blobs.put("others/1", once("1"));
  const reads = new Map<string, () => Promise<number | readonly Reading[]>>();
  const gauges = startStorageGauges({
    ...{ contents: store.contents, blobs, whole: true, dataDir, log, firstMs: 1 },
    data: [{ collections: [declared({ name: "mine", belongs: NOBODYS })], blobFolders: ["pictures"] }],
    metrics: { ...NO_MEASUREMENTS, gauge: (name, _, read) => void reads.set(name, read) },
  });
  onTestFinished(() => gauges.stop(0));
  const documents = { labels: { name: "mine" }, value: 2 };
  await vi.waitFor(async () => expect(await reads.get("hourglass_storage_documents")?.()).toEqual([documents]));
  expect(await reads.get("hourglass_storage_bytes")?.()).toEqual([
    { labels: { kind: "records", name: "mine" }, value: expect.any(Number) as number },
    { labels: { kind: "files", name: "pictures" }, value: 5 },
    { labels: { kind: "database", name: "total" }, value: expect.any(Number) as number },
    { labels: { kind: "database", name: "free" }, value: 0 },
  ]);
  expect(await reads.get("hourglass_disk_free_bytes")?.()).toBeGreaterThan(0);
});
