import { afterEach, beforeEach, describe } from "vitest";
import { changingContract, writingContract } from "./store-changes-contract.js";
import { budgetContract } from "./store-budget-contract.js";
import { contentsContract } from "./store-contents-contract.js";
import { commitContract } from "./store-commit-contract.js";
import { modelContract } from "./store-model-contract.js";
import { queryContract } from "./store-query-contract.js";
import { readingContract } from "./store-reading-contract.js";
import { roundTripContract } from "./store-round-trip-contract.js";
import { sharingContract } from "./store-sharing-contract.js";
import { ITEMS, type Item, type StoreBench, type StoreWorld } from "./store-world.js";

/** Tests an adapter against the contract of the store's port. */
export function storeContract(name: string, open: () => Promise<StoreWorld>): void {
  describe(`${name}: the promises of the store`, () => {
    let bench: StoreBench | undefined;
    const get = (): StoreBench => {
      if (bench === undefined) throw new Error("The store is not open.");
      return bench;
    };

    beforeEach(async () => {
      const world = await open();
      bench = { world, items: await world.store.collection<Item>(ITEMS) };
    });

    afterEach(async () => {
      await bench?.world.close();
      bench = undefined;
    });

    writingContract(get);
    changingContract(get);
    commitContract(get);
    budgetContract(get);
    queryContract(get);
    readingContract(get);
    modelContract(get);
    roundTripContract(get);
    sharingContract(get);
    contentsContract(get);
  });
}
