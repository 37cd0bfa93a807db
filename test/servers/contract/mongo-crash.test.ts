import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { freshMongo, type MongoWorld } from "./mongo-world.js";

const COMMITTER = fileURLToPath(new URL("../../dist/servers/contract/commit-and-die.js", import.meta.url));
const BEFORE = { accounts: ["a: 5", "b: 5"], transfers: [] };
const AFTER = { accounts: ["a: 4", "b: 6"], transfers: ["a to b"] };

describe("a process that is killed in the middle of a commit", () => {
  let world: MongoWorld;

  beforeEach(async () => {
    world = await freshMongo();
    const { store } = await world.again();
    const accounts = await store.collection<Account>({ name: "accounts" });
    await accounts.insertMany(["a", "b"].map((id) => ({ id, units: 5 })));
    await store.collection({ name: "transfers" });
  });
  afterEach(() => world.close());

  // Its documents are those of this test alone: SecantusDB 0.7 keeps them locked for good, MongoDB until it aborts.
  it.each([
    ["after the first step", "store.commit_step=1", BEFORE],
    ["between two collections", "store.commit_step=2", BEFORE],
    ["after the last step", "store.commit_step=3", BEFORE],
    ["after the commit, before it knows", "store.after_commit=1", AFTER],
  ])("has written all or nothing: %s", async (_where, failpoints, expected) => {
    const committer = spawn(process.execPath, [COMMITTER, world.url, failpoints], { stdio: "inherit" });
    expect(await once(committer, "exit")).toEqual([null, "SIGKILL"]);
    expect(await visible(world)).toEqual(expected);
  });
});

interface Account {
  id: string;
  units: number;
}

/** What another process reads. */
async function visible(world: MongoWorld): Promise<typeof BEFORE | typeof AFTER> {
  const { store } = await world.again();
  const accounts = await (await store.collection<Account>({ name: "accounts" })).find({});
  const transfers = await (await store.collection<{ id: string }>({ name: "transfers" })).find({});
  return {
    accounts: accounts.map(({ id, units }) => `${id}: ${units}`).sort(),
    transfers: transfers.map(({ id }) => id),
  };
}
