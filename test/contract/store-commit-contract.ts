import {
  checkStep,
  deleteStep,
  insertNewStep,
  insertStep,
  putStep,
  updateEachStep,
  updateStep,
  type Collection,
} from "@hourglass/runtime";
import { beforeEach, describe, expect, it } from "vitest";
import { ITEMS, type Item, type StoreBench } from "./store-world.js";
import { expectFailure, numbersBelow } from "./support.js";

interface Lease {
  id: string;
  token: string | null;
  turns: number;
}

/** commit. */
export function commitContract(bench: () => StoreBench): void {
  let leases: Collection<Lease>;

  describe("committing", () => {
    beforeEach(async () => {
      leases = await bench().world.store.collection<Lease>({ name: "leases" });
      await leases.insert({ id: "lease", token: "mine", turns: 0 });
    });

    outcomes(bench, () => leases);
    conditions(bench, () => leases);
    races(bench, () => leases);
  });
}

function outcomes(bench: () => StoreBench, leases: () => Collection<Lease>): void {
  it("does every step, in order and over several collections, and returns what each of them returned", async () => {
    const { items, world } = bench();
    await items.insertMany([
      { id: 1, size: 1 },
      { id: 2, size: 2 },
      { id: 3, owner: "o", name: "n" },
    ]);
    const committed = await world.store.commit([
      updateStep(leases(), { id: "lease", token: "mine" }, { increment: { turns: 1 } }),
      insertStep(items, { id: 10 }, { id: 11 }),
      insertNewStep(items, [{ id: 1 }, { id: 12 }, { id: 13, owner: "o", name: "n" }, { id: 12, size: 9 }]),
      putStep(items, { id: 2, name: "replaced" }),
      updateEachStep(items, [
        { filter: { id: 10 }, change: { set: { size: 5 } } },
        { filter: { id: 99 }, change: { set: { size: 5 } } },
        { filter: { id: 11 }, change: { increment: { size: 2 } } },
      ]),
      deleteStep(items, { owner: "o" }),
      checkStep(items, { id: 10, size: 5 }),
    ]);
    expect(committed).toEqual({
      done: true,
      results: [
        { id: "lease", token: "mine", turns: 1 },
        undefined,
        [false, true, false, false],
        undefined,
        2,
        1,
        undefined,
      ],
    });
    expect(await items.find({})).toEqual([
      { id: 1, size: 1 },
      { id: 2, name: "replaced" },
      { id: 10, size: 5 },
      { id: 11, size: 2 },
      { id: 12 },
    ]);
    expect(await leases().get("lease")).toEqual({ id: "lease", token: "mine", turns: 1 });
  });

  it("does nothing, and says so, when there are no steps", async () => {
    expect(await bench().world.store.commit([])).toEqual({ done: true, results: [] });
  });

  it("updates the first document by the sort, and returns one that the change leaves as it was", async () => {
    const { items, world } = bench();
    await items.insertMany([
      { id: 1, size: 2 },
      { id: 2, size: 1 },
    ]);
    const step = updateStep(items, {}, {}, { sort: [["size", 1]] });
    expect(await world.store.commit([step])).toEqual({ done: true, results: [{ id: 2, size: 1 }] });
    expect(await items.get(2)).toEqual({ id: 2, size: 1 });
  });

  it("refuses a collection of another store", async () => {
    const other = await bench().world.again();
    const items = await other.collection<Item>(ITEMS);
    await expect(async () => bench().world.store.commit([insertStep(items, { id: 1 })])).rejects.toThrow(TypeError);
  });
}

function conditions(bench: () => StoreBench, leases: () => Collection<Lease>): void {
  it("undoes the steps before one whose update finds no document, and says which step that was", async () => {
    const { items, world } = bench();
    const committed = await world.store.commit([
      insertStep(items, { id: 1 }),
      updateStep(leases(), { id: "lease", token: "other" }, { increment: { turns: 1 } }),
      insertStep(items, { id: 2 }),
    ]);
    expect(committed).toEqual({ done: false, failedStep: 1 });
    expect(await items.count({})).toBe(0);
  });

  it("undoes the steps before one whose check finds no document", async () => {
    const { items, world } = bench();
    const committed = await world.store.commit([
      putStep(items, { id: 1 }),
      checkStep(leases(), { id: "lease", turns: 7 }),
    ]);
    expect(committed).toEqual({ done: false, failedStep: 1 });
    expect(await items.count({})).toBe(0);
  });

  it("refuses an id or a unique value that is taken as an insert does, and keeps no step", async () => {
    const { items, world } = bench();
    await items.insert({ id: 1, owner: "o", name: "n" });
    const turn = updateStep(leases(), { id: "lease" }, { increment: { turns: 1 } });
    await expectFailure("conflict", world.store.commit([turn, insertStep(items, { id: 2 }, { id: 1 })]));
    await expectFailure("conflict", world.store.commit([turn, putStep(items, { id: 2, owner: "o", name: "n" })]));
    const rename = updateStep(items, { id: 3 }, { set: { owner: "o", name: "n" } });
    await expectFailure("conflict", world.store.commit([insertStep(items, { id: 3 }), rename]));
    expect(await items.count({})).toBe(1);
    expect((await leases().get("lease"))?.turns).toBe(0);
  });
}

function races(bench: () => StoreBench, leases: () => Collection<Lease>): void {
  it("lets exactly one of the racing commits of two instances meet a condition only one of them can", async () => {
    const { items, world } = bench();
    const other = await world.again();
    const theirs = {
      leases: await other.collection<Lease>({ name: "leases" }),
      items: await other.collection<Item>(ITEMS),
    };
    const attempts = numbersBelow(12).map((id) => {
      const [store, to] = id % 2 === 0 ? [world.store, { leases: leases(), items }] : [other, theirs];
      return store.commit([
        insertStep(to.items, { id }),
        updateStep(to.leases, { id: "lease", token: "mine" }, { set: { token: `taken by ${id}` } }),
      ]);
    });
    const won = (await Promise.all(attempts)).flatMap(({ done }, id) => (done ? [id] : []));
    expect(won).toHaveLength(1);
    expect((await items.find({})).map(({ id }) => id)).toEqual(won);
    expect((await leases().get("lease"))?.token).toBe(`taken by ${won[0]}`);
  });

  it("loses no change of commits that race for the same documents", async () => {
    const { items, world } = bench();
    await items.insert({ id: 1 });
    const commits = numbersBelow(10).map((id) =>
      world.store.commit([
        updateStep(items, { id: 1 }, { increment: { size: 1 } }),
        updateStep(leases(), { id: "lease" }, { increment: { turns: 1 } }),
        insertNewStep(items, [{ id: "shared" }, { id: `own ${id}` }]),
      ]),
    );
    const shared = (await Promise.all(commits)).filter(({ done, ...rest }) => {
      expect(done).toBe(true);
      return "results" in rest && rest.results[2][0];
    });
    expect(shared).toHaveLength(1);
    expect(await items.get(1)).toEqual({ id: 1, size: 10 });
    expect((await leases().get("lease"))?.turns).toBe(10);
    expect(await items.count({})).toBe(12);
  });

  it("stores nothing under a check once another write has changed what it checks", async () => {
    const { items, world } = bench();
    let left = 3;
    const pages: string[] = [];
    const collect = async (page: number): Promise<void> => {
      const { done } = await world.store.commit([
        checkStep(leases(), { id: "lease", turns: 0 }),
        insertStep(items, { id: `page ${page}` }),
      ]);
      if (done) pages.push(`page ${page}`);
      left -= 1;
    };
    const collecting = numbersBelow(8).map(collect);
    await expect.poll(() => left <= 0).toBe(true);
    await leases().update({ id: "lease" }, { set: { turns: 1 } });
    const stored = (await items.find({})).map(({ id }) => id);
    await Promise.all(collecting);
    expect((await items.find({})).map(({ id }) => id)).toEqual(stored);
    expect(stored).toEqual(pages.toSorted());
    expect(await world.store.commit([checkStep(leases(), { id: "lease", turns: 0 })])).toMatchObject({ done: false });
  });
}
