import type { Store } from "@hourglass/runtime";
import { storeContract } from "../../contract/store-contract.js";
import type { StoreWorld } from "../../contract/store-world.js";
import { freshMongo } from "./mongo-world.js";

async function openStore(): Promise<StoreWorld> {
  const { again: open, close } = await freshMongo();
  const again = async (): Promise<Store> => (await open()).store;
  const { store, contents } = await open();
  return { store, contents, again, close };
}

storeContract("mongo", openStore);
