import { randomUUID } from "node:crypto";
import { ExportFormat, ExportStatus } from "@hourglass/proto/export/v1/export";
import { Platform } from "@hourglass/proto/insight/v1/platform";
import { type Blobs, type Measurements, NO_MEASUREMENTS } from "@hourglass/runtime";
import { repeats } from "@hourglass/runtime/testing";
import { parquetReadObjects } from "hyparquet";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { draft, drafts, ExportWorld, user, type ExportProcess } from "../support/export-world.js";

const LATER = { timeout: 15_000 };
const ANN = { platform: Platform.TWITTER, authorId: "a0" };
const MUCH_LATER = { timeout: 120_000, interval: 500 };
/** The author of every fifth posting is erased. */
const LEFT = drafts(0, 20).flatMap(({ socialId }, index) => (index % 5 === 0 ? [] : [socialId]));

describe("an erasure", () => {
  let world: ExportWorld;
  let process: ExportProcess;
  let insight: number;
  beforeEach(async () => {
    world = await ExportWorld.open();
    process = (await world.process()).start();
    insight = await world.insight();
    await world.save(insight, drafts(0, 20));
  });
  afterEach(() => world.close());

  const done = async (): Promise<bigint> => {
    const id = await process.create([insight]);
    expect((await process.ended(id)).status).toBe(ExportStatus.DONE);
    return id;
  };
  const erased = (): Promise<unknown> => world.insights.erasePostings(ANN, user());
  const revised = (id: bigint): Promise<void> =>
    vi.waitFor(async () => expect((await process.get(id)).revisedAt).toBeDefined(), LATER);

  it("reaches every format of every finished export, which keeps its id and gets new tags", async () => {
    const ids = [await done(), await done(), await done()];
    const before = await process.read(ids[0] ?? 0n, ExportFormat.CSV);
    await erased();
    for (const id of ids) {
      await revised(id);
      expect(await process.get(id)).toMatchObject({ status: ExportStatus.DONE, rows: BigInt(LEFT.length) });
      expect(await process.socialIds(id)).toEqual(LEFT);
      const csv = (await process.read(id, ExportFormat.CSV)).bytes.toString();
      expect(csv).not.toContain("number 5 ");
      const { bytes } = await process.read(id, ExportFormat.PARQUET);
      const rows = await parquetReadObjects({ file: new Uint8Array(bytes).buffer });
      expect(rows.map((row) => row["social_id"] as string)).toEqual(LEFT);
    }
    const after = process.read(ids[0] ?? 0n, ExportFormat.CSV, { expectedTag: before.info.tag });
    await expect(after).rejects.toMatchObject({ kind: "precondition", code: "export_revised" });
    await vi.waitFor(async () => expect(await world.files()).toHaveLength(9), LATER);
    await vi.waitFor(async () => expect(await world.collections.erasures.find({})).toEqual([]), LATER);
  });

  it("leaves an export alone that has none of the postings", async () => {
    const id = await done();
    const { info } = await process.read(id);
    await world.insights.erasePostings({ platform: Platform.NEWS, authorId: "a0" }, user());
    await world.insights.erasePostings({ platform: Platform.TWITTER, socialId: "s99" }, user());
    await vi.waitFor(async () => expect(await world.collections.erasures.find({})).toEqual([]), LATER);
    expect((await process.read(id)).info.tag).toBe(info.tag);
    expect((await process.get(id)).revisedAt).toBeUndefined();
  });

  it("ends a download under way in an error", async () => {
    await world.save(
      insight,
      Array.from({ length: 600 }, (_, index) => draft(index + 20, { text: "word ".repeat(200) })),
    );
    const id = await done();
    const reading = process.exports.readExport({ id, format: ExportFormat.NDJSON }, user())[Symbol.asyncIterator]();
    await reading.next();
    await reading.next();
    await erased();
    await revised(id);
    const rest = async (): Promise<void> => {
      while ((await reading.next()).done !== true);
    };
    await expect(rest()).rejects.toMatchObject({ kind: "precondition", code: "export_revised" });
  });

  const MANY = repeats(100);

  it(`reaches every one of ${MANY} exports`, async () => {
    const ids = await Promise.all(Array.from({ length: MANY }, () => process.create([insight])));
    for (const id of ids) expect((await process.ended(id)).status).toBe(ExportStatus.DONE);
    await erased();
    await vi.waitFor(async () => expect(await world.collections.erasures.find({})).toEqual([]), MUCH_LATER);
    for (const id of ids) expect(await process.socialIds(id)).toEqual(LEFT);
    expect(await world.files()).toHaveLength(3 * MANY);
  });

  it("is followed once by several sweepers at a time", async () => {
    (await world.process()).start("sweeper");
    const ids = [await done(), await done()];
    await erased();
    for (const id of ids) await revised(id);
    await vi.waitFor(async () => expect(await world.files()).toHaveLength(6), LATER);
    for (const id of ids) expect(await process.socialIds(id)).toEqual(LEFT);
  });
});

describe("an erasure while an export runs", () => {
  let world: ExportWorld;
  afterEach(() => world.close());

  it("reaches it once it is done, though it had read the postings before", async () => {
    let proceed = (): void => undefined;
    const mayStore = new Promise<void>((resolve) => (proceed = resolve));
    world = await ExportWorld.open({ blobs: (blobs) => storingLate(blobs, mayStore) });
    const process = (await world.process()).start();
    const insight = await world.insight();
    await world.save(insight, drafts(0, 20));
    const id = await process.create([insight]);
    await vi.waitFor(async () => expect((await process.get(id)).progress?.rendered).toBe(20n), LATER);
    await world.insights.erasePostings(ANN, user());
    const companies = await world.store.collection<{ id: number; followed: unknown[] }>({ name: "export_companies" });
    await vi.waitFor(async () => expect((await companies.find({}))[0]?.followed).toHaveLength(1), LATER);
    proceed();
    expect((await process.ended(id)).status).toBe(ExportStatus.DONE);
    await vi.waitFor(async () => expect((await process.get(id)).revisedAt).toBeDefined(), LATER);
    expect(await process.socialIds(id)).toEqual(LEFT);
    await vi.waitFor(async () => expect(await world.collections.erasures.find({})).toEqual([]), LATER);
  });
});

describe("an erasure that an export cannot follow", () => {
  let world: ExportWorld;
  afterEach(() => world.close());

  it("is counted, and is tried again until it succeeds", async () => {
    const storage = { isFull: false };
    world = await ExportWorld.open({ blobs: (blobs) => storingUnless(blobs, () => storage.isFull) });
    let failing: (() => Promise<unknown>) | undefined;
    const metrics: Measurements = {
      ...NO_MEASUREMENTS,
      gauge: (name, _, read) => void (name === "hourglass_export_revisions_failing" && (failing = read)),
    };
    const process = (await world.process({ metrics })).start();
    const insight = await world.insight();
    await world.save(insight, drafts(0, 20));
    const ids = [await process.create([insight]), await process.create([insight])];
    for (const id of ids) expect((await process.ended(id)).status).toBe(ExportStatus.DONE);
    expect(await failing?.()).toBe(0);
    storage.isFull = true;
    await world.insights.erasePostings(ANN, user());
    await vi.waitFor(async () => expect(await failing?.()).toBe(2), LATER);
    expect(await world.collections.erasures.find({})).toHaveLength(1);
    storage.isFull = false;
    for (const id of ids) {
      await vi.waitFor(async () => expect((await process.get(id)).revisedAt).toBeDefined(), LATER);
      expect(await process.socialIds(id)).toEqual(LEFT);
    }
    await vi.waitFor(async () => expect(await failing?.()).toBe(0), LATER);
    await vi.waitFor(async () => expect(await world.collections.erasures.find({})).toEqual([]), LATER);
  });
});

describe("an erasure of an export that takes long to render", () => {
  let world: ExportWorld;
  let isErased = false;
  /** Keys of the files that were written after the erasure. */
  let written: string[];
  afterEach(() => world.close());

  /** After the erasure, each fifth of the lines takes as long as `pass`, and the sweepers check everything meanwhile. */
  async function openSlow(leaseMs: number, pass: () => Promise<void> | void): Promise<void> {
    isErased = false;
    written = [];
    world = await ExportWorld.open({
      config: { leaseMs },
      blobs: (blobs) => ({
        ...storingLate(blobs, Promise.resolve()),
        get: (key, range) => (isErased ? slowly(blobs.get(key, range), pass) : blobs.get(key, range)),
        put: (key, bytes) => {
          if (isErased) written.push(key);
          return blobs.put(key, bytes);
        },
      }),
    });
  }

  async function* slowly(
    bytes: AsyncIterable<Uint8Array>,
    pass: () => Promise<void> | void,
  ): AsyncGenerator<Uint8Array> {
    const sets = await world.store.collection<{ id: string; exportId: number; dueAt: number | null }>({
      name: "export_file_sets",
    });
    for await (const chunk of bytes) {
      for (let start = 0, step = Math.ceil(chunk.length / 5); start < chunk.length; start += step) {
        yield chunk.subarray(start, start + step);
        await pass();
        const id = `abandoned-${randomUUID()}`;
        await sets.insert({ id, exportId: 0, dueAt: world.now() });
        await vi.waitFor(async () => expect(await sets.count({ id })).toBe(0), LATER);
      }
    }
  }

  const erase = async (process: ExportProcess): Promise<void> => {
    const insight = await world.insight();
    await world.save(insight, drafts(0, 20));
    const id = await process.create([insight]);
    expect((await process.ended(id)).status).toBe(ExportStatus.DONE);
    isErased = true;
    await world.insights.erasePostings(ANN, user());
    await vi.waitFor(async () => expect((await process.get(id)).revisedAt).toBeDefined(), LATER);
    isErased = false;
    expect(await process.socialIds(id)).toEqual(LEFT);
    await vi.waitFor(async () => expect(await world.files()).toHaveLength(3), LATER);
  };

  it("keeps its files, which no export has yet", async () => {
    // The lease is not at issue here: it is renewed by the monotonic clock, which does not pass with that of the records.
    await openSlow(24 * 60 * 60_000, () => void (world.ahead += 6 * 60_000));
    await erase((await world.process()).start());
  });

  it("is left to one of several sweepers", async () => {
    const leaseMs = 2000;
    await openSlow(leaseMs, async () => {
      const until = performance.now() + leaseMs / 4;
      await vi.waitFor(() => expect(performance.now()).toBeGreaterThan(until), LATER);
    });
    (await world.process()).start("sweeper");
    await erase((await world.process()).start());
    expect(written).toHaveLength(3);
  });
});

/** A storage that may be full. */
function storingUnless(blobs: Blobs, isFull: () => boolean): Blobs {
  return {
    ...storingLate(blobs, Promise.resolve()),
    put: (key, bytes) => (isFull() ? Promise.reject(new Error("the disk is full")) : blobs.put(key, bytes)),
  };
}

/** A storage that takes no bytes before it may. */
function storingLate(blobs: Blobs, mayStore: Promise<void>): Blobs {
  return {
    put: async (key, bytes) => {
      await mayStore;
      return blobs.put(key, bytes);
    },
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
