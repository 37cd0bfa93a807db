import type { Collection, Json, Store, StoreContents } from "@hourglass/runtime";
import type { World } from "./support.js";

/** A store on separate data. */
export interface StoreWorld extends World {
  store: Store;
  /** All that the store holds. */
  contents: StoreContents;
  /** Opens another instance on the same data: another process, or the same after a restart. */
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

/** The setup of each test: an open store and a collection in it, whose name is unique per owner. */
export interface StoreBench {
  world: StoreWorld;
  items: Collection<Item>;
}

export const ITEMS = {
  name: "items",
  indexes: [{ fields: ["owner", "name"], unique: true }, { fields: ["flag", "size"] }],
} as const;
