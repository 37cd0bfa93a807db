import type { Collection, Json, Store } from "@hourglass/runtime";
import { afterEach, beforeEach, describe } from "vitest";
import { changingContract, writingContract } from "./store-changes-contract.js";
import { modelContract } from "./store-model-contract.js";
import { queryContract } from "./store-query-contract.js";
import { roundTripContract } from "./store-round-trip-contract.js";
import { sharingContract } from "./store-sharing-contract.js";
import type { World } from "./support.js";

/** A store on data of its own. */
export interface StoreWorld extends World {
  store: Store;
  /** Opens one more instance on the same data: another process, or the same after a restart. */
  again: () => Promise<Store>;
}

export interface Item {
  id: number | string;
  name?: string | null;
  size?: number | null;
  flag?: boolean | null;
  owner?: string | null;
  data?: Json;
}

/** What each test finds: an open store and a collection in it, whose name is unique per owner. */
export interface StoreBench {
  world: StoreWorld;
  items: Collection<Item>;
}

export const ITEMS = {
  name: "items",
  indexes: [{ fields: ["owner", "name"], unique: true }, { fields: ["flag", "size"] }],
} as const;

/** Holds an adapter to every promise of the store's port. */
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
    queryContract(get);
    modelContract(get);
    roundTripContract(get);
    sharingContract(get);
  });
}
