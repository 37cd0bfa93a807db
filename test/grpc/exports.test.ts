import { ExportFormat, ExportStatus } from "@hourglass/proto/export/v1/export";
import { AppError, type Blobs } from "@hourglass/runtime";
import { parquetReadObjects } from "hyparquet";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  collect,
  COMPANY,
  draft,
  drafts,
  ExportWorld,
  socialIdsOf,
  user,
  type WorldOptions,
} from "../support/export-world.js";

let world: ExportWorld;

async function open(options: WorldOptions = {}): Promise<void> {
  world = await ExportWorld.open(options);
}

afterEach(() => world.close());

const LATER = { timeout: 15_000 };

describe("an export", () => {
  it("holds the analyzed postings of its searches in its range, oldest first, in all formats", async () => {
    await open();
    const process = (await world.process()).start();
    const [one, other] = [await world.insight(), await world.insight()];
    await world.save(one, [...drafts(0, 10), draft(24 * 31)]);
    await world.save(other, drafts(10, 20));
    const id = await process.create([other, one, other]);
    const done = await process.ended(id);
    expect(done).toMatchObject({
      status: ExportStatus.DONE,
      error: "",
      rows: 20n,
      progress: { total: 20n, analysed: 20n, rendered: 20n },
      query: { insightSearchIds: [BigInt(other), BigInt(one)], startDate: "2026-10-01", endDate: "2026-11-01" },
    });
    expect(await process.socialIds(id)).toEqual(socialIdsOf(0, 20));
    expect(done.coverage.map(({ insightSearchId }) => insightSearchId)).toEqual([BigInt(other), BigInt(one)]);
    for (const { format, sizeBytes } of done.files) {
      const { info, bytes } = await process.read(id, format);
      expect(info).toMatchObject({ sizeBytes, exportId: id, format, offset: 0n, length: sizeBytes });
      expect(bytes).toHaveLength(Number(sizeBytes));
    }
    const { bytes } = await process.read(id, ExportFormat.PARQUET);
    const rows = await parquetReadObjects({ file: new Uint8Array(bytes).buffer });
    expect(rows.map((row) => row["social_id"] as string)).toEqual(socialIdsOf(0, 20));
    const csv = (await process.read(id, ExportFormat.CSV)).bytes.toString();
    expect(csv.trimEnd().split("\r\n")).toHaveLength(21);
  });

  it("waits until what was stored before its creation is analyzed, and not for what came later", async () => {
    await open();
    const process = (await world.process()).start();
    const insight = await world.insight();
    await world.save(insight, drafts(0, 3));
    await world.save(insight, drafts(3, 5), { analysed: false });
    const id = await process.create([insight]);
    await world.save(insight, drafts(5, 9), { analysed: false });
    await vi.waitFor(async () => {
      const { progress } = await process.get(id);
      expect(progress).toMatchObject({ total: 5n, analysed: 3n, rendered: 0n });
    }, LATER);
    const early = world.collections.postings.updateMany(
      { insightId: insight, batch: { lte: 2 } },
      { set: { listedAt: 1 } },
    );
    await early;
    await world.collections.postings.updateMany(
      { insightId: insight, listedAt: 1 },
      { set: { listedAt: draft(4).postedAt } },
    );
    await process.ended(id);
    expect(await process.socialIds(id)).toEqual(socialIdsOf(0, 5));
  });

  it("does not keep its place in the worker while it waits", async () => {
    await open({ config: { concurrency: 1 } });
    const process = (await world.process()).start();
    const [waiting, ready] = [await world.insight(), await world.insight()];
    await world.save(waiting, drafts(0, 3), { analysed: false });
    await world.save(ready, drafts(0, 3));
    const stuck = await Promise.all(Array.from({ length: 9 }, () => process.create([waiting])));
    expect((await process.ended(await process.create([ready]))).status).toBe(ExportStatus.DONE);
    await world.analyze(waiting);
    for (const id of stuck) expect((await process.ended(id)).status).toBe(ExportStatus.DONE);
  });

  it("of an empty range is done, without postings", async () => {
    await open();
    const process = (await world.process()).start();
    const id = await process.create([await world.insight()]);
    expect(await process.ended(id)).toMatchObject({ status: ExportStatus.DONE, rows: 0n });
    expect((await process.read(id, ExportFormat.JSON)).bytes.toString()).toBe("[]");
    expect((await process.read(id, ExportFormat.CSV)).bytes.toString()).toMatch(/^insight_search_id,.*\r\n$/);
    expect((await process.read(id, ExportFormat.NDJSON)).bytes).toHaveLength(0);
  });

  it("is refused with the index of each insight that is missing or another company's", async () => {
    await open();
    const process = await world.process();
    const [mine, foreign] = [await world.insight(), await world.insight(COMPANY + 1)];
    const failure = await process
      .create([mine, foreign, 999, mine, foreign])
      .catch((error: unknown) => error as AppError);
    expect(failure).toMatchObject({ kind: "invalid" });
    const { violations } = failure as AppError;
    expect(violations.map(({ field }) => field)).toEqual([1, 2, 4].map((index) => `insight_search_ids[${index}]`));
    expect(new Set(violations.map(({ message }) => message)).size).toBe(1);
  });

  it("is refused beyond the configured range, and beyond the quota of its company", async () => {
    await open({ config: { rangeDaysMax: 31, unfinishedMax: 1 } });
    const process = await world.process();
    const insight = await world.insight();
    await expect(process.create([insight], { endDate: "2026-11-02" })).rejects.toMatchObject({
      violations: [{ field: "end_date", message: "Give a date at most 31 days after start_date." }],
    });
    await process.create([insight]);
    await expect(process.create([insight])).rejects.toMatchObject({ kind: "too-many" });
  });

  it("keeps its metadata, by which lists find it, and which count for its key", async () => {
    await open();
    const process = await world.process();
    const insight = await world.insight();
    const metadata = { campaign: "winter", "a.b": "" };
    const id = await process.create([insight], { metadata, idempotencyKey: "m" });
    await process.create([insight], { metadata: { campaign: "summer" } });
    const third = await process.create([insight], { metadata: { campaign: "winter" } });
    expect((await process.get(id)).metadata).toEqual(metadata);
    const list = (wanted: object) => process.exports.listExports(wanted, user());
    const found = async (wanted: Record<string, string>) =>
      (await list({ metadata: wanted })).exports.map((each) => each.id);
    expect(await found({ campaign: "winter" })).toEqual([third, id]);
    expect(await found({ campaign: "winter", "a.b": "" })).toEqual([id]);
    expect(await process.create([insight], { metadata, idempotencyKey: "m" })).toBe(id);
    await expect(process.create([insight], { idempotencyKey: "m" })).rejects.toMatchObject({
      code: "idempotency_key_reused",
    });
    const { nextCursor: cursor } = await list({ limit: 1, metadata: { campaign: "winter" } });
    expect((await list({ cursor, metadata: { campaign: "winter" } })).exports).toMatchObject([{ id }]);
    await expect(list({ cursor })).rejects.toMatchObject({ violations: [{ field: "cursor" }] });
  });

  it("is created once for one key, even after it was deleted, and refuses the key for another request", async () => {
    await open();
    const process = await world.process();
    const insight = await world.insight();
    const key = { idempotencyKey: "k" };
    const [one, other] = await Promise.all([process.create([insight], key), process.create([insight, insight], key)]);
    expect(one).toBe(other);
    await process.exports.deleteExport({ id: one }, user());
    expect(await process.create([insight], key)).toBe(one);
    await expect(process.create([insight], { ...key, endDate: "2026-10-02" })).rejects.toMatchObject({
      code: "idempotency_key_reused",
    });
  });

  it("fails if an insight is deleted before it is done, and stays if one is deleted later", async () => {
    await open();
    const process = (await world.process()).start();
    const insight = await world.insight();
    await world.save(insight, drafts(0, 3));
    const done = await process.create([insight]);
    await process.ended(done);
    await world.save(insight, drafts(3, 5), { analysed: false });
    const waiting = await process.create([insight]);
    await world.insights.deleteInsight({ id: BigInt(insight) }, user());
    expect(await process.ended(waiting)).toMatchObject({ status: ExportStatus.FAILED, files: [] });
    expect((await process.get(waiting)).error).toMatch(/insight of this export was deleted/);
    await expect(process.read(waiting)).rejects.toMatchObject({ kind: "precondition", code: "export_failed" });
    expect(await process.socialIds(done)).toEqual(socialIdsOf(0, 3));
  });

  it("fails if the storage of files is full, and leaves no file behind", async () => {
    await open({ blobs: fullAfter(1000) });
    const process = (await world.process()).start();
    const insight = await world.insight();
    await world.save(insight, drafts(0, 50));
    const failed = await process.ended(await process.create([insight]));
    expect(failed).toMatchObject({ status: ExportStatus.FAILED, files: [] });
    expect(failed.error).toMatch(/no room/);
    expect(await world.files()).toEqual([]);
  });

  it("waits for a storage of files that is unavailable, and fails after an hour of it", async () => {
    let isAway = true;
    await open({ blobs: (blobs) => unlessAway(blobs, () => isAway) });
    const process = (await world.process()).start();
    const insight = await world.insight();
    await world.save(insight, drafts(0, 3));
    const exports = await world.store.collection<{ id: number; awaySince: number | null }>({ name: "exports" });
    const noticed = (id: bigint): Promise<void> =>
      vi.waitFor(async () => expect((await exports.get(Number(id)))?.awaySince).toBeGreaterThan(0), LATER);
    const waiting = await process.create([insight]);
    await noticed(waiting);
    isAway = false;
    expect((await process.ended(waiting)).status).toBe(ExportStatus.DONE);
    isAway = true;
    const failing = await process.create([insight]);
    await noticed(failing);
    world.ahead = 61 * 60_000;
    const failed = await process.ended(failing);
    expect(failed).toMatchObject({ status: ExportStatus.FAILED, files: [] });
    expect(failed.error).toMatch(/was unavailable for an hour/);
  });

  it("is found only by its company", async () => {
    await open();
    const process = (await world.process()).start();
    const id = await process.create([await world.insight()]);
    await process.ended(id);
    const stranger = user(COMPANY + 1);
    for (const call of [
      process.exports.getExport({ id }, stranger),
      process.exports.deleteExport({ id }, stranger),
      process.exports.createExportLink({ id, format: ExportFormat.CSV }, stranger),
      collect(process.exports.readExport({ id, format: ExportFormat.CSV }, stranger)),
    ]) {
      await expect(call).rejects.toMatchObject({ kind: "not-found", code: "export_not_found" });
    }
    expect((await process.exports.listExports({}, stranger)).exports).toEqual([]);
    expect((await process.exports.listExports({}, user())).exports.map((each) => each.id)).toEqual([id]);
  });
});

describe("the upkeep of exports", () => {
  it("removes an export with its files once it has expired", async () => {
    await open();
    const process = (await world.process()).start();
    const id = await process.create([await world.insight()]);
    const { expiresAt } = await process.ended(id);
    expect(Number(expiresAt?.seconds) * 1000 - Date.now()).toBeGreaterThan(89 * 86_400_000);
    expect(await world.files()).toHaveLength(3);
    world.ahead = 91 * 86_400_000;
    await vi.waitFor(async () => {
      await expect(process.get(id)).rejects.toMatchObject({ kind: "not-found" });
      expect(await world.files()).toEqual([]);
    }, LATER);
  });

  it("keeps exports forever if EXPORT_DAYS is 0", async () => {
    await open({ config: { days: 0 } });
    const process = (await world.process()).start();
    const id = await process.create([await world.insight()]);
    expect((await process.ended(id)).expiresAt).toBeUndefined();
  });

  it("removes files that a worker left behind, and none that an export has", async () => {
    await open();
    const process = (await world.process()).start();
    const id = await process.create([await world.insight()]);
    await process.ended(id);
    const sets = await world.store.collection<{ id: string; exportId: number; dueAt: number | null }>({
      name: "export_file_sets",
    });
    await sets.insert({ id: "left-behind", exportId: Number(id), dueAt: Date.now() + 60_000 });
    await world.blobs.put("exports/left-behind-csv", chunk("a"));
    world.ahead = 20 * 60_000;
    await vi.waitFor(async () => expect(await sets.count({ id: "left-behind" })).toBe(0), LATER);
    expect(await world.files()).toHaveLength(3);
    await vi.waitFor(async () => expect(await sets.find({})).toMatchObject([{ dueAt: null }]), LATER);
  });

  it("knows the files of a deleted export until the worker that writes them has ended", async () => {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await open({
      blobs: (blobs) => ({ ...passing(blobs), put: (key, bytes) => released.then(() => blobs.put(key, bytes)) }),
    });
    const process = (await world.process()).start();
    const id = await process.create([await world.insight()]);
    const sets = await world.store.collection<{ id: string; dueAt: number | null }>({ name: "export_file_sets" });
    await vi.waitFor(async () => expect(await sets.count({})).toBe(1), LATER);
    await process.exports.deleteExport({ id }, user());
    const [written] = await sets.find({});
    expect(written?.dueAt).toBeGreaterThan(Date.now() + 60_000);
    release();
    await vi.waitFor(async () => expect([await sets.count({}), await world.files()]).toEqual([0, []]), LATER);
  });
});

/** A storage that takes nothing while it is unavailable. */
function unlessAway(blobs: Blobs, isAway: () => boolean): Blobs {
  return {
    ...passing(blobs),
    put: async (key, bytes) => {
      if (isAway()) throw new AppError("unavailable", "The storage is unavailable.");
      return blobs.put(key, bytes);
    },
  };
}

/** A storage that has room for that many bytes of one file. */
function fullAfter(bytesMax: number) {
  return (blobs: Blobs): Blobs => ({
    ...passing(blobs),
    put: (key, bytes) => blobs.put(key, limited(bytes, bytesMax)),
  });
}

function passing(blobs: Blobs): Omit<Blobs, "put"> {
  return {
    get: (key, range) => blobs.get(key, range),
    size: (key) => blobs.size(key),
    list: () => blobs.list(),
    delete: (key) => blobs.delete(key),
    erase: (key) => blobs.erase(key),
    eraseDeleted: () => blobs.eraseDeleted(),
    ping: () => blobs.ping(),
    close: () => blobs.close(),
  };
}

async function* limited(bytes: AsyncIterable<Uint8Array>, bytesMax: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const each of bytes) {
    size += each.length;
    if (size > bytesMax) throw new AppError("unavailable", "The storage is full.", { code: "storage_full" });
    yield each;
  }
}

async function* chunk(text: string): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  yield Buffer.from(text);
}
