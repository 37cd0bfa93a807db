import { afterEach, describe, expect, it, vi } from "vitest";
import { ExportWorld, type WorldOptions } from "../support/export-world.js";

let world: ExportWorld;

async function open(options: WorldOptions = {}): Promise<void> {
  world = await ExportWorld.open(options);
}

afterEach(() => world.close());

const LATER = { timeout: 15_000 };

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
});

async function* chunk(text: string): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  yield Buffer.from(text);
}
